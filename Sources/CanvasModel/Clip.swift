/// The file of a clip, as recorded by the board.
public struct ClipFile: Hashable, Sendable {
  /// The file's path, absolute or relative to the board's folder; not empty.
  public let path: String
  /// The size of the file, in bytes.
  public let bytes: Int?
  /// The file's modification time, in nanoseconds since 1970.
  public let mtimeNanoseconds: Int?
  /// The duration of the clip, in seconds.
  public let durationSeconds: Double?

  /// Creates a clip file, or returns `nil` if the path is empty.
  public init?(path: String, bytes: Int? = nil, mtimeNanoseconds: Int? = nil, durationSeconds: Double? = nil) {
    guard !path.isEmpty else { return nil }
    self.path = path
    self.bytes = bytes
    self.mtimeNanoseconds = mtimeNanoseconds
    self.durationSeconds = durationSeconds
  }

  /// - Parameter path: A path that is not empty.
  init(unchecked path: String) {
    (self.path, bytes, mtimeNanoseconds, durationSeconds) = (path, nil, nil, nil)
  }
}

/// A clip on a canvas.
public struct Clip: Hashable, Sendable {
  /// The clip's file.
  public let file: ClipFile
  /// The revision of the board that set the clip; it is never reused, not even after an undo.
  public let generation: Int

  /// Creates a clip.
  public init(file: ClipFile, generation: Int) {
    self.file = file
    self.generation = generation
  }
}

/// The file of a cover.
public struct CoverFile: Hashable, Sendable {
  /// The file's path, absolute or relative to the board's folder; not empty.
  public let path: String
  /// The width in pixels.
  public let width: Int?
  /// The height in pixels.
  public let height: Int?
  /// The presentation time of the frame, in seconds from the start of the clip.
  public let actualTime: Double?

  /// Creates a cover file, or returns `nil` if the path is empty.
  public init?(path: String, width: Int? = nil, height: Int? = nil, actualTime: Double? = nil) {
    guard !path.isEmpty else { return nil }
    (self.path, self.width, self.height, self.actualTime) = (path, width, height, actualTime)
  }

  /// - Parameter path: A path that is not empty.
  init(unchecked path: String) {
    (self.path, width, height, actualTime) = (path, nil, nil, nil)
  }
}

/// The state of a canvas's cover.
public enum Cover: Hashable, Sendable {
  /// The canvas has no clip.
  case none
  /// The cover has not been made yet.
  case pending
  case ready(CoverFile)
  /// No cover could be made from the clip, for the given reason.
  case failed(reason: String)

  /// The name of the case.
  public var name: CoverName {
    switch self {
    case .none: .none
    case .pending: .pending
    case .ready: .ready
    case .failed: .failed
    }
  }
}

/// The names of the cases of ``Cover``.
public enum CoverName: String, CaseIterable, Sendable {
  case none, pending, ready, failed
}
