internal import ArgumentParser
internal import BoardText
internal import CoverService
internal import Covers
internal import Files
internal import SystemPackage

/// The file given with `--report`, to which a line is written for each clip when it is done.
struct ReportFile {
  private let file: FileDescriptor
  private let path: FilePath

  private static let maximumLineBytes = 1 << 16

  /// Opens the file, replacing an older report.
  ///
  /// - Parameters:
  ///   - path: The path given by the user.
  ///   - isForced: Whether to replace a file that is not a report.
  ///   - inputs: The files that the run reads, each with a description.
  init(at path: FilePath, isForced: Bool, sparing inputs: [FileIdentity: String]) throws {
    self.path = path
    let place = OutputPlace(named: path)
    do {
      try place.check(isForced: isForced, sparing: inputs, isOurs: Self.isReport)
      file = try place.create()
    } catch let refusal as OutputRefusal {
      throw CommandError(refusal, product: "a report made by clipcanvas", option: "--report")
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Writes a line.
  ///
  /// A write error, such as a full disk, ends the program, because an incomplete report is worthless.
  func write(_ line: String) {
    do {
      try file.writeAll((line + "\n").utf8)
    } catch {
      ClipCanvas.end(by: Self.failure(path, error))
    }
  }

  func close() throws {
    do {
      try file.close()
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Returns whether the first line of a file is a record of a batch.
  private static func isReport(_ file: FileDescriptor) -> Bool {
    struct Record: Decodable {
      struct Clip: Decodable { let uri: String }
      struct Summary: Decodable { let covers: Int }
      let status: CoverOutcome.Status?
      let clip: Clip?
      let summary: Summary?
    }
    let line = file.bytes(at: 0, count: maximumLineBytes).prefix { $0 != UInt8(ascii: "\n") }
    guard let record = try? CanonicalJSON.decode(Record.self, from: line) else { return false }
    return record.summary != nil || (record.status != nil && record.clip != nil)
  }

  private static func failure(_ path: FilePath, _ error: any Error) -> CommandError {
    let errno = error as? Errno ?? (error as? FileReplacementError)?.errno
    let reason = errno?.message ?? "\(error)"
    return CommandError(
      .cannotContinue,
      "cannot write the report \(path.displayText): \(reason); specify another file with --report"
    )
  }
}
