/// The file of a clip, as recorded by the board.
package struct ClipFile: Hashable, Sendable {
  /// The file's path, absolute or relative to the board's folder; not empty.
  package let path: String
  /// The size of the file, in bytes.
  package let bytes: Int?
  /// The file's modification time, in nanoseconds since 1970.
  package let mtimeNanoseconds: Int?
  /// The duration of the clip, in seconds.
  package let durationSeconds: Double?

  /// Creates a clip file, or returns `nil` if the path is empty.
  package init?(path: String, bytes: Int? = nil, mtimeNanoseconds: Int? = nil, durationSeconds: Double? = nil) {
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
package struct Clip: Hashable, Sendable {
  /// The clip's file.
  package let file: ClipFile
  /// The revision of the board that set the clip; it is never reused, not even after an undo.
  package let generation: Int

  /// Creates a clip.
  package init(file: ClipFile, generation: Int) {
    self.file = file
    self.generation = generation
  }
}

/// The file of a cover.
package struct CoverFile: Hashable, Sendable {
  /// The file's path, absolute or relative to the board's folder; not empty.
  package let path: String
  /// The width in pixels.
  package let width: Int?
  /// The height in pixels.
  package let height: Int?
  /// The presentation time of the frame, in seconds from the start of the clip.
  package let actualTime: Double?

  /// Creates a cover file, or returns `nil` if the path is empty.
  package init?(path: String, width: Int? = nil, height: Int? = nil, actualTime: Double? = nil) {
    guard !path.isEmpty else { return nil }
    (self.path, self.width, self.height, self.actualTime) = (path, width, height, actualTime)
  }

  /// - Parameter path: A path that is not empty.
  init(unchecked path: String) {
    (self.path, width, height, actualTime) = (path, nil, nil, nil)
  }
}

/// The state of a canvas's cover.
package enum Cover: Hashable, Sendable {
  /// The canvas has no clip.
  case none
  /// The cover has not been made yet.
  case pending
  case ready(CoverFile)
  /// No cover could be made from the clip, for the given reason.
  case failed(reason: String)

  /// The name of the case.
  package var name: CoverName {
    switch self {
    case .none: .none
    case .pending: .pending
    case .ready: .ready
    case .failed: .failed
    }
  }
}

/// The names of the cases of ``Cover``.
package enum CoverName: String, CaseIterable, Sendable {
  case none, pending, ready, failed
}
