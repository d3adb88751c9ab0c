internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Glibc
internal import SystemPackage

/// A clip on standard input, which is named `-` on the command line.
enum StandardInputClip {
  /// Whether one of the clips is that on standard input.
  static func isNamed(in clips: [PathArgument]) -> Bool { clips.contains { $0.path == "-" } }

  /// Checks that a clip on standard input is used alone, and that it is not read from a terminal.
  ///
  /// - Parameters:
  ///   - clips: The clips.
  ///   - noun: The word for the picture that is made of a clip; `nil` without a picture.
  ///   - pictures: The number of pictures made of each clip.
  ///   - isInFolder: Whether the picture is named after the clip, which here has no name.
  static func validate(
    _ clips: [PathArgument],
    noun: String? = nil,
    pictures: Int = 1,
    isInFolder: Bool = false
  ) throws {
    guard isNamed(in: clips) else { return }
    guard clips.count == 1, pictures == 1 else {
      let use = noun.map { ", which gets one \($0)" } ?? ""
      throw ValidationError("'-' stands for a single clip on standard input\(use): use it alone")
    }
    guard !isInFolder else {
      let made = noun ?? "picture"
      throw ValidationError("a clip on standard input has no name: name the file for its \(made) with '-o'")
    }
    guard isatty(STDIN_FILENO) == 0 else {
      throw ValidationError("'-' would read a clip from the terminal; redirect it from a file or a program")
    }
  }

  /// Returns the order for a picture of the clip on standard input, or prints why that cannot be read and throws an exit
  /// status.
  static func order(
    to destination: CoverOrder.Destination,
    request: CoverRequest,
    isForced: Bool,
    asJSON: Bool
  ) throws -> CoverOrder {
    do throws(CoverFailure) {
      return CoverOrder(clip: try InputClip(), destination: destination, request: request, isForced: isForced)
    } catch {
      let clip = PictureOutcome.Clip(path: "-", uri: nil)
      let outcome = PictureOutcome(status: .failed, clip: clip, path: nil, request: request, failure: error)
      PictureReport.print(outcome, asJSON: asJSON, onlyProblems: true)
      throw CommandError(.someFailed)
    }
  }
}
