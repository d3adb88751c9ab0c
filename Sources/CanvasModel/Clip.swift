/// The file of a clip, as far as the board keeps it.
public struct ClipFile: Hashable, Sendable {
  /// Relative to the board's folder, or absolute; not empty.
  public let path: String
  /// Size of the file.
  public let bytes: Int?
  /// Of the file, nanoseconds since 1970.
  public let mtimeNanoseconds: Int?
  /// Of what it shows.
  public let durationSeconds: Double?

  /// Fails for an empty path.
  public init?(path: String, bytes: Int? = nil, mtimeNanoseconds: Int? = nil, durationSeconds: Double? = nil) {
    guard !path.isEmpty else { return nil }
    self.path = path
    self.bytes = bytes
    self.mtimeNanoseconds = mtimeNanoseconds
    self.durationSeconds = durationSeconds
  }

  /// - Parameter path: Not empty.
  init(unchecked path: String) {
    (self.path, bytes, mtimeNanoseconds, durationSeconds) = (path, nil, nil, nil)
  }
}

/// A clip on a canvas.
public struct Clip: Hashable, Sendable {
  /// Where it is.
  public let file: ClipFile
  /// The revision of the board that set it, so it is never used twice, not even after an undo.
  public let generation: Int

  /// Makes one of its parts.
  public init(file: ClipFile, generation: Int) {
    self.file = file
    self.generation = generation
  }
}

/// The file of a cover.
public struct CoverFile: Hashable, Sendable {
  /// Relative to the board's folder, or absolute; not empty.
  public let path: String
  /// In pixels.
  public let width: Int?
  /// In pixels.
  public let height: Int?
  /// When the frame is presented, in seconds from the start of the clip.
  public let actualTime: Double?

  /// Fails for an empty path.
  public init?(path: String, width: Int? = nil, height: Int? = nil, actualTime: Double? = nil) {
    guard !path.isEmpty else { return nil }
    (self.path, self.width, self.height, self.actualTime) = (path, width, height, actualTime)
  }

  /// - Parameter path: Not empty.
  init(unchecked path: String) {
    (self.path, width, height, actualTime) = (path, nil, nil, nil)
  }
}

/// What a canvas has of a cover.
public enum Cover: Hashable, Sendable {
  /// There is no clip.
  case none
  /// It is to be made.
  case pending
  case ready(CoverFile)
  /// The clip gives none, for a reason in words.
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
