internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// The report about a video, as text or JSON.
struct ExportReport: Encodable {
  /// When the clip of a canvas plays.
  struct Clip: Encodable {
    let canvas: String
    let clip: String
    let start: Double
    let duration: Double
  }

  /// A canvas whose clip cannot be shown or heard as it should.
  struct Problem: Encodable, Error {
    let canvas: String
    let clip: String
    let kind: VideoFacts.Problem.Kind
    let seconds: Double
    /// A stable word for scripts.
    let reason: String
    let message: String

    init(_ canvas: CanvasID, clip: String, kind: VideoFacts.Problem.Kind, seconds: Double, _ failure: CoverFailure) {
      (self.canvas, self.clip) = (DisplayName.of(canvas), DisplayName.of(clip))
      (self.kind, self.seconds) = (kind, seconds)
      (reason, message) = (failure.cause.rawValue, failure.message + (failure.cause.exportAdvice ?? ""))
    }

    /// The problem for people: `a.mp4 of c1 cannot be shown from 3.2 s on: the video ends early`.
    var line: String {
      let time = seconds > 0 ? " from \(DecimalText.of(seconds, places: 1)) s on" : ""
      switch kind {
      case .broken: return "\(clip) of \(canvas) cannot be shown\(time): \(message)"
      case .damaged: return "\(clip) of \(canvas) is damaged\(time): \(message)"
      case .silent: return "\(clip) of \(canvas) cannot be heard\(time): \(message)"
      }
    }
  }

  let board: String
  let video: String
  let width: Int
  let height: Int
  let frameRate: Double
  let frames: Int
  let durationSeconds: Double
  let bytes: Int
  let hasSound: Bool
  let revision: Int
  let clips: [Clip]
  let problems: [Problem]

  /// The report for people: `board.json → out.mp4  1080×1920, 12.0 s, 3 clips, 4.2 MB`.
  var line: String {
    let parts = [
      "\(width)×\(height)", "\(DecimalText.of(durationSeconds, places: 1)) s",
      "\(clips.count) \(clips.count == 1 ? "clip" : "clips")",
      FactText.bytes(bytes),
    ]
    return "\(board) → \(video)  \(parts.joined(separator: ", "))"
  }

  func print(asJSON: Bool) throws(CommandError) {
    do {
      let line = asJSON ? DisplayText.json(try CanonicalJSON.line(self)) : Array(DisplayText.of("\(line)".utf8).utf8)
      try FileDescriptor.standardOutput.writeAll(line + Array("\n".utf8))
    } catch {
      throw .cannotExport("cannot write to standard output: \((error as? Errno)?.message ?? "\(error)")")
    }
  }
}

extension CoverFailure.Cause {
  /// What the user can do about a clip that cannot be shown, as the end of a message.
  fileprivate var exportAdvice: String? {
    self == .outOfMemory ? "; export the clips one after another with --order sequence" : nil
  }
}
