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

/// The part of a clip that is played: its frames from one time on and before another.
package struct Trim: Hashable, Sendable {
  /// The start of the part, in seconds from the start of the clip.
  package let from: Double
  /// The end of the part, in seconds from the start of the clip; `nil` for the end of the clip.
  package let to: Double?

  /// Creates a part, or returns `nil` if it is empty, starts before the clip or is the whole clip.
  package init?(from: Double, to: Double? = nil) {
    // Comparisons with NaN are false.
    guard from >= 0, from < .infinity, to.map({ $0 > from && $0 < .infinity }) ?? (from > 0) else { return nil }
    // Zero has one sign, so that equal parts look the same.
    (self.from, self.to) = (from == 0 ? 0 : from, to)
  }

  /// Returns the duration of the part, in seconds; `nil` if it is not known.
  ///
  /// - Parameter duration: The duration of the whole clip, in seconds; `nil` if it is not known.
  package func seconds(ofClip duration: Double?) -> Double? {
    let end = [to, duration].compactMap(\.self).min()
    return end.map { max(0, $0 - from) }
  }
}

/// A clip on a canvas.
package struct Clip: Hashable, Sendable {
  /// The clip's file.
  package let file: ClipFile
  /// The revision of the board that set or trimmed the clip; it is never reused, not even after an undo.
  package let generation: Int
  /// The part of the clip that is played; `nil` for all of it.
  package let trim: Trim?

  /// Creates a clip.
  package init(file: ClipFile, generation: Int, trim: Trim? = nil) {
    (self.file, self.generation, self.trim) = (file, generation, trim)
  }

  /// The duration of the part that is played, in seconds; `nil` if it is not known.
  package var playedSeconds: Double? {
    guard let trim else { return file.durationSeconds }
    return trim.seconds(ofClip: file.durationSeconds)
  }
}

/// A clip that was on a canvas and can be used again.
package struct KeptTake: Hashable, Sendable {
  /// The clip, with the part of it that was played.
  package let clip: Clip
  /// The state of its cover.
  package let cover: Cover

  /// Creates a take.
  package init(clip: Clip, cover: Cover) {
    (self.clip, self.cover) = (clip, cover)
  }

  /// Returns whether a take was set before another.
  static func precedes(_ one: KeptTake, _ other: KeptTake) -> Bool {
    (one.clip.generation, one.clip.file.path) < (other.clip.generation, other.clip.file.path)
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
