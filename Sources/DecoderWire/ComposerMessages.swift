package import Covers

/// The work of a composer process, which does one piece of work and then ends.
///
/// The clips follow in ``ComposerClips`` messages. The composer answers with any number of
/// ``ComposerReply/progress(bytes:)``, ``ComposerReply/measuring(clips:)`` or
/// ``ComposerReply/composing(frames:bytes:)`` and one other ``ComposerReply``.
package struct ComposerRequest: Codable, Sendable {
  /// The work to do.
  package enum Work: Codable, Sendable {
    /// Copy the clips into a container, one after another. The file to write is sent along.
    case remux(RemuxRequest)
    /// Measure each clip by reading all its packets. Nothing is written.
    case measure
    /// Compose the clips into one video. The file to write is sent along, and a sealed file with the pictures.
    case compose(VideoRequest)
  }

  /// How long the composer may make no progress before it gives up, in milliseconds.
  package var deadlineMilliseconds: Int
  /// The number of clips.
  package var clips: Int
  /// The maximum size of the file that the composer writes.
  ///
  /// The composer lowers its own limit to it, and to ``tasks``, before it reads a clip.
  package var fileBytes: Int
  /// The number of threads that all processes of the user may have when the composer starts one; `nil` for no limit.
  package var tasks: Int?
  /// The work to do.
  package var work: Work

  /// The largest number of clips.
  package static let maximumClips = 256

  /// Creates a request.
  package init(deadlineMilliseconds: Int, clips: Int, fileBytes: Int, tasks: Int?, work: Work) {
    (self.deadlineMilliseconds, self.clips, self.work) = (deadlineMilliseconds, clips, work)
    (self.fileBytes, self.tasks) = (fileBytes, tasks)
  }
}

/// Further clips of a ``ComposerRequest``, whose descriptors are sent along.
package struct ComposerClips: Codable, Sendable {
  /// The number of clips in this message.
  package var count: Int

  /// The largest number of clips in one message.
  package static let maximumCount = 4

  /// Creates a message.
  package init(count: Int) { self.count = count }
}

/// A message of a composer about its work.
///
/// The amount in a message about progress must exceed that of the previous message by at least one unit of the work.
package enum ComposerReply: Codable, Sendable {
  /// The number of bytes of the clips that were read.
  case progress(bytes: Int)
  /// The number of clips measured.
  case measuring(clips: Int)
  /// The number of frames composed, and of bytes written.
  case composing(frames: Int, bytes: Int)
  /// The clips were measured.
  case measured([MeasuredClip])
  /// The video was composed.
  case composed(VideoFacts)
  /// The clips were copied.
  case remuxed(RemuxFacts)
  /// The work failed because of a clip, counted from 0, or because of the video.
  case failure(CoverFailure, clip: Int?)

  /// The number of bytes that are read between two messages, at least.
  package static let bytesBetweenReports = 16 << 20

  /// Returns the number of frames that are composed before the next message.
  ///
  /// The first few frames take longer: clips are opened, and the encoder gets its memory.
  ///
  /// - Parameter frames: The number of frames in the last message.
  package static func framesBetweenReports(after frames: Int) -> Int { frames < 10 ? 2 : 10 }

  /// Returns the largest number of messages about a video with this number of frames.
  package static func reports(on frames: Int) -> Int { 5 + frames / 10 }
}
