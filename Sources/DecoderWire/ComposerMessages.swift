public import Covers

/// The work of a composer process, which does one piece of work and then ends.
///
/// The clips follow in ``ComposerClips`` messages. The composer answers with any number of
/// ``ComposerReply/progress(bytes:)`` or ``ComposerReply/composing(frames:bytes:)`` and one other ``ComposerReply``.
public struct ComposerRequest: Codable, Sendable {
  /// The work to do.
  public enum Work: Codable, Sendable {
    /// Copy the clips into a container, one after another. The file to write is sent along.
    case remux(RemuxRequest)
    /// Measure each clip by reading all its packets. Nothing is written.
    case measure
    /// Compose the clips into one video. The file to write is sent along, and a sealed file with the pictures.
    case compose(VideoRequest)
  }

  /// The time without progress after which the composer gives up, in milliseconds.
  public var deadlineMilliseconds: Int
  /// The number of clips.
  public var clips: Int
  /// The work to do.
  public var work: Work

  /// The largest number of clips.
  public static let maximumClips = 256

  /// Creates a request.
  public init(deadlineMilliseconds: Int, clips: Int, work: Work) {
    (self.deadlineMilliseconds, self.clips, self.work) = (deadlineMilliseconds, clips, work)
  }
}

/// Further clips of a ``ComposerRequest``, whose descriptors are sent along.
public struct ComposerClips: Codable, Sendable {
  /// The number of clips in this message.
  public var count: Int

  /// The largest number of clips in one message.
  public static let maximumCount = 4

  /// Creates a message.
  public init(count: Int) { self.count = count }
}

/// A message of a composer about its work.
public enum ComposerReply: Codable, Sendable {
  /// The number of bytes of the clips that were read so far.
  case progress(bytes: Int)
  /// The number of frames composed so far, and of bytes written.
  case composing(frames: Int, bytes: Int)
  /// The clips were measured.
  case measured([MeasuredClip])
  /// The video was composed.
  case composed(VideoFacts)
  /// The clips were copied.
  case remuxed(RemuxFacts)
  /// The work failed because of a clip, counted from 0, or because of the video.
  case failure(CoverFailure, clip: Int?)
}
