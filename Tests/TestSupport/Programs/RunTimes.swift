internal import Glibc
internal import Subprocess
internal import SystemPackage

/// The times of what tests wait for, written by `make test TIMES=1` to the file that `CLIPCANVAS_TEST_TIMES` names.
///
/// Each line is a kind and seconds. `Tests/TestTimes/report.py` adds them up.
package enum RunTimes {
  /// What a test waits for.
  enum Kind: String {
    /// ffmpeg or ffprobe.
    case clips
    /// A program of the package.
    case programs
    /// Another program.
    case tools
    /// ``pause(_:)``.
    case pauses
    /// The validator of JSON.
    case validation
  }

  private static let file: FileDescriptor? = getenv("CLIPCANVAS_TEST_TIMES").flatMap { path in
    try? FileDescriptor.open(
      FilePath(platformString: path),
      .writeOnly,
      options: [.append, .create, .closeOnExec],
      permissions: .ownerReadWrite
    )
  }

  /// Records how long a run of a program takes.
  static func measure<Result>(of executable: Executable, _ run: () async throws -> Result) async throws -> Result {
    guard file != nil else { return try await run() }
    let name = FilePath(executable.description).lastComponent?.string ?? ""
    return try await measure(kind(of: name), run)
  }

  /// Returns the kind of a program.
  static func kind(of program: String) -> Kind {
    switch program {
    case "ffmpeg", "ffprobe": .clips
    case _ where program.hasPrefix("clipcanvas") || program.hasPrefix("hurried"): .programs
    default: .tools
    }
  }

  /// Records how long something takes.
  static func measure<Result>(_ kind: Kind, _ run: () async throws -> Result) async rethrows -> Result {
    let start = ContinuousClock.now
    defer { record(kind, since: start) }
    return try await run()
  }

  /// Records the time since a start.
  static func record(_ kind: Kind, since start: ContinuousClock.Instant) {
    guard let file else { return }
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let line = "\(kind.rawValue) \(Double(seconds) + Double(attoseconds) / 1e18)\n"
    _ = try? file.writeAll(line.utf8)
  }
}

/// Waits for a moment.
///
/// No test waits longer at once: what it waits for is a condition that it looks at again, or has an interval that is a
/// parameter.
///
/// - Parameter duration: At most a fifth of a second.
package func pause(_ duration: Duration) async throws {
  precondition(duration <= .milliseconds(200))
  try await RunTimes.measure(.pauses) { try await Task.sleep(for: duration) }
}
