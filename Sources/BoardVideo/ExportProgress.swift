internal import BoardSupport
internal import Covers
internal import SystemPackage

/// The progress of a video, shown in the last row of the terminal.
struct ExportProgress {
  private let frames: Int
  private let frameRate: Double
  private let start = ContinuousClock.now
  private var line = StatusLine()

  /// - Parameters:
  ///   - frames: The number of frames of the video.
  ///   - frameRate: The number of frames in a second of the video.
  init(of frames: Int, at frameRate: Double) {
    (self.frames, self.frameRate) = (frames, frameRate)
  }

  /// Shows how much was composed, if standard error is a terminal.
  mutating func show(_ composed: Int) {
    guard StatusLine.isPossible else { return }
    line.show(Self.text(composed, of: frames, at: frameRate, after: .now - start))
  }

  /// Erases the line.
  mutating func clear() { line.clear() }

  /// Prints how much was composed, for the program that runs this one; ends this program if that one has ended.
  static func report(_ composed: Int, of frames: Int) {
    let line = "\(composed) \(frames)\n"
    guard (try? FileDescriptor.standardOutput.writeAll(line.utf8)) != nil else { CommandError(.someFailed).end() }
  }

  /// Returns the progress for people: `120 of 900 frames, 2.4× real time, 11 s left`.
  static func text(_ composed: Int, of frames: Int, at frameRate: Double, after time: Duration) -> String {
    let perSecond = Double(composed) / max(time / .seconds(1), 0.001)
    let speed = DecimalText.of(perSecond / frameRate, places: 1)
    let left = DecimalText.of((Double(frames - composed) / max(perSecond, 0.001)).rounded(.up), places: 0)
    return "\(composed) of \(frames) frames, \(speed)× real time, \(left) s left"
  }
}
