internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

/// What a composer may use for a piece of work.
///
/// A composer that an attacker controls can claim any progress, and its sandbox permits it to write and to start
/// threads. So each bound follows from what the parent knows itself, such as the sizes of the clips. None may stop
/// honest work: each has a margin over the worst case, as explained where it is computed.
struct ComposerBounds {
  /// The maximum size of the file.
  let fileBytes: Int
  /// The number of threads it may have.
  let threads: Int
  /// The maximum number of threads of all processes of the user for starting another (`RLIMIT_NPROC`); `nil` if the
  /// kernel is not to check that.
  let tasks: Int?
  /// How many times the time limit the work may take as a whole.
  let intervals: Int

  /// The bounds for measuring clips, which writes nothing.
  static func measuring(clips: Int) -> ComposerBounds {
    // It reports each clip, and after the last one it replies.
    ComposerBounds(fileBytes: 0, threads: singleThreaded, tasks: 0, intervals: clips + 1)
  }

  /// The bounds for copying clips.
  ///
  /// - Parameter bytes: The size of all clips.
  static func copying(bytes: Int) -> ComposerBounds {
    ComposerBounds(
      fileBytes: bytesOfCopy(ofClips: bytes),
      threads: singleThreaded,
      tasks: 0,
      // In each interval, at least 16 MiB are read. Only a clip whose streams are not interleaved, or are cut into very
      // small packets, is read more than once, because of the block that is read ahead at each jump. Reading everything
      // 32 times, at that least speed, may take as long as this. Any machine that copies 16 MiB in a fraction
      // of the time limit could read it thousands of times. One interval more is for opening the clips, and one
      // for writing the index.
      intervals: 2 + bytes / (ComposerReply.bytesBetweenReports / 32)
    )
  }

  /// The bounds for composing a video.
  static func composing(_ video: VideoRequest) -> ComposerBounds {
    ComposerBounds(
      fileBytes: bytes(of: video),
      // A thread for each clip, and four that the encoder is given. Those that libraries start besides are few, and
      // none of them depends on the content of a clip.
      threads: 32 + 2 * video.canvases.count,
      tasks: tasksOfEveryone.map { $0 + roomForTasks },
      intervals: 2 + ComposerReply.reports(on: video.frames)
    )
  }

  // MARK: - Files

  /// Returns the largest size of a copy.
  private static func bytesOfCopy(ofClips bytes: Int) -> Int {
    // Containers need up to about 48 bytes for each packet, in headers, indexes and cues: 16 times the
    // content for packets of three bytes, which is less than the smallest frame of any codec takes along with
    // its own container's bytes.
    let packets = 16 * bytes
    // Matroska may compress packets, and MP4 its index, by up to 1032 times, and an edit list may repeat a short clip.
    // Neither is usual in large files.
    let repetitions = min(1024 * bytes, 4 << 30)
    // 32 MiB of silence may fill gaps; see CComposer. The rest is for headers and metadata.
    return 64 << 20 + packets + repetitions
  }

  /// Returns the largest size of a composed video.
  private static func bytes(of video: VideoRequest) -> Int {
    // H.264 limits a macroblock of 16 × 16 pixels in 4:2:0 to 3200 bits, 1.6 bytes for each pixel. Twice as much is
    // permitted, because x264 does not enforce it. 4 KiB are for headers and the index.
    let (width, height) = (roundedUp(video.width), roundedUp(video.height))
    let frame = 13 * width * height / 4 + 4 << 10
    // An AAC frame of two channels has at most 1536 bytes for 1024 samples: 72,000 bytes in a second of 48 kHz.
    let sound = Int(video.seconds.rounded(.up) + 1) * (128 << 10)
    return 1 << 20 + video.frames * frame + sound
  }

  /// Returns the side in whole macroblocks.
  private static func roundedUp(_ side: Int) -> Int { (side + 15) / 16 * 16 }

  // MARK: - Threads

  /// The threads of a program that starts none, with some that a tool for debugging may add.
  private static let singleThreaded = 8

  /// The kernel counts the threads of all processes of a user, so this is the room for those that the user may start
  /// elsewhere during the work.
  private static let roomForTasks = 1 << 15

  /// The number of all threads of the machine; `nil` if it cannot be read.
  private static var tasksOfEveryone: Int? {
    // Such as `0.20 0.18 0.12 1/80 11206`: the number after the slash.
    guard let file = try? FileDescriptor.open("/proc/loadavg", .readOnly, options: .closeOnExec) else { return nil }
    defer { try? file.close() }
    let words = String(decoding: file.bytes(at: 0, count: 128), as: UTF8.self).split { $0 == " " || $0 == "/" }
    return words.count > 4 ? Int(words[4]) : nil
  }
}
