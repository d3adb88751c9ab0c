internal import CComposer
internal import CCover
internal import CoverDecoding
internal import Covers

/// Why clips could not be copied, and which of them the failure is about.
struct CopyFailure: Error {
  let failure: CoverFailure
  /// The index of the clip; `nil` if the failure is about the video.
  let clip: Int?
}

/// A copy of one or more clips that is being written.
struct StreamCopy: ~Copyable {
  private let handle: OpaquePointer
  private let count: Int
  /// The part of a single clip that is copied; `nil` for all.
  private let cut: ClipCut?

  /// Prepares to copy clips, one after another.
  ///
  /// - Parameters:
  ///   - clips: Descriptors of the clips, which stay open until the copy is destroyed.
  ///   - output: The descriptor of an empty file, open for reading and writing.
  ///   - request: The container.
  ///   - cut: The part of a single clip that is copied; `nil` for all.
  ///   - deadline: The time that each step may take.
  init(
    of clips: [Int32],
    into output: Int32,
    _ request: RemuxRequest,
    cut: ClipCut?,
    deadline: Duration
  ) throws(CopyFailure) {
    let limits = ClipDecoder.Limits()
    var options = ccomposer_copy_options(
      container: request.container.container,
      index_first: request.isIndexFirst,
      max_pixels: Int64(limits.maximumPixels),
      max_streams: Int32(clamping: limits.maximumStreams),
      programme: Int32(clamping: request.programme ?? 0),
      deadline_microseconds: Int64(deadline / .microseconds(1)),
      starts_later: cut?.start != nil,
      ends_earlier: cut?.end != nil,
      key: cut?.start?.key ?? 0,
      start: cut?.start?.shown ?? 0,
      end: cut?.end ?? 0
    )
    var copy: OpaquePointer?
    try Self.attempt { part, error in
      ccomposer_copy_open(clips, Int32(clips.count), output, &options, &copy, &part, &error)
    }
    guard let copy else { preconditionFailure("a copy was opened without a handle") }
    (handle, count, self.cut) = (copy, clips.count, cut)
  }

  deinit {
    var copy: OpaquePointer? = handle
    ccomposer_copy_close(&copy)
  }

  /// The number of bytes of the clips that were read.
  var bytesRead: Int { Int(ccomposer_copy_progress(handle)) }

  /// Copies about this many bytes.
  ///
  /// - Returns: False if everything is copied.
  mutating func step(bytes: Int) throws(CopyFailure) -> Bool {
    var result: Int32 = 0
    let handle = handle
    try Self.attempt { part, error in
      result = ccomposer_copy_step(handle, Int64(bytes), &part, &error)
      return min(result, 0)
    }
    return result == 0
  }

  /// Writes the index, which completes the file.
  mutating func finish() throws(CopyFailure) -> RemuxFacts {
    var facts = ccomposer_copy_facts()
    let handle = handle
    try Self.attempt { _, error in ccomposer_copy_finish(handle, &facts, &error) }
    let duration = Self.seconds(facts.duration)
    let parts = try (0..<Int32(count)).map { index throws(CopyFailure) in try Self.part(index, of: handle) }
    return RemuxFacts(
      durationSeconds: duration,
      bytes: Int(facts.bytes),
      videoStreams: Int(facts.video_streams),
      audioStreams: Int(facts.audio_streams),
      subtitleStreams: Int(facts.subtitle_streams),
      parts: parts,
      cut: cut.map { cut in
        RemuxFacts.Cut(
          fromSeconds: cut.from,
          toSeconds: cut.to,
          startSeconds: cut.start?.shownSeconds ?? 0,
          endSeconds: (cut.start?.shownSeconds ?? 0) + duration,
          keyFrameSeconds: cut.start?.keySeconds ?? 0
        )
      }
    )
  }

  /// The facts about a clip that was copied.
  ///
  /// - Throws: `CopyFailure` if a packet was left out without a reason.
  private static func part(_ index: Int32, of handle: OpaquePointer) throws(CopyFailure) -> RemuxFacts.Part {
    var facts = ccomposer_part_facts()
    ccomposer_copy_get_part(handle, index, &facts)
    let missing = facts.packets_read - facts.packets - facts.unneeded - facts.lost
    guard missing == 0 else {
      let message = "\(missing) of its \(facts.packets_read) packets were not copied, without a reason"
      throw CopyFailure(failure: CoverFailure(stage: .mux, cause: .misuse, message: message), clip: Int(index))
    }
    return RemuxFacts.Part(
      durationSeconds: seconds(facts.duration),
      packetsRead: Int(facts.packets_read),
      packets: Int(facts.packets),
      packetsLost: Int(facts.lost),
      streamsLeftOut: Int(facts.left_out),
      endedEarly: facts.ended_early,
      damagedAtSeconds: facts.is_damaged ? seconds(facts.damaged_at) : nil,
      movedAtSeconds: facts.moved_times ? seconds(facts.moved_at) : nil
    )
  }

  private static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1_000_000 }

  private static func attempt(
    _ call: (_ part: inout Int32, _ error: inout ccover_error) -> Int32
  ) throws(CopyFailure) {
    var part: Int32 = -1
    do throws(CoverFailure) {
      try withCoverError { error in call(&part, &error) }
    } catch {
      throw CopyFailure(failure: error, clip: part >= 0 ? Int(part) : nil)
    }
  }
}

extension VideoContainer {
  fileprivate var container: ccomposer_container {
    switch self {
    case .mp4: CCOMPOSER_MP4
    case .mov: CCOMPOSER_MOV
    case .matroska: CCOMPOSER_MATROSKA
    case .webm: CCOMPOSER_WEBM
    }
  }
}
