internal import CCover
package import Covers
internal import Pictures

/// An open clip: the owner of a decoder and of one decoded frame.
///
/// A clip may be used by one thread at a time. The caller keeps ownership of the descriptor and must keep it open.
package struct ClipDecoder: ~Copyable {
  /// Limits on the work with one clip.
  package struct Limits: Sendable {
    /// The maximum time for all work with the clip, counted from opening it, or from the start of a cover if the clip
    /// was already open.
    package var deadline: Duration
    /// The maximum number of pixels in a decoded frame.
    package var maximumPixels: Int
    /// The maximum number of streams; a container with more is refused.
    package var maximumStreams: Int
    /// The format assumed for a clip whose content is not recognised.
    package var rawFormat: RawFormat?

    /// Creates limits.
    package init(
      deadline: Duration = .seconds(30),
      maximumPixels: Int = 64 << 20,
      maximumStreams: Int = 64
    ) {
      self.deadline = deadline
      self.maximumPixels = maximumPixels
      self.maximumStreams = maximumStreams
    }
  }

  /// The work done with a clip; lets tests check the amount of work without measuring time.
  package struct Counters: Hashable, Sendable {
    /// The number of bytes read from the descriptor.
    package var bytesRead = 0
    /// The number of seeks in the file.
    package var seeks = 0
    /// The number of packets read from the video stream.
    package var packetsRead = 0
    /// The number of frames returned by the decoder.
    package var framesDecoded = 0
    /// The number of packets rejected by the decoder.
    package var decodeErrors = 0

    static func + (one: Counters, other: Counters) -> Counters {
      Counters(
        bytesRead: one.bytesRead + other.bytesRead,
        seeks: one.seeks + other.seeks,
        packetsRead: one.packetsRead + other.packetsRead,
        framesDecoded: one.framesDecoded + other.framesDecoded,
        decodeErrors: one.decodeErrors + other.decodeErrors
      )
    }
  }

  private var handle: OpaquePointer?

  /// Opens the clip at a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor of a file open for reading.
  ///   - stream: The index of the wanted stream, counted from 0; `nil` selects the first video stream that is shown and
  ///     has frames, or in a transport stream the largest of the first programme.
  ///   - programme: The number of the programme of a transport stream that the stream must belong to; `nil` for any.
  ///   - artwork: Whether artwork may be used as the video stream.
  ///   - completely: Whether to read until all facts of the clip are known. Otherwise reading stops as soon as a frame
  ///     can be decoded; the frame rate, for example, may then be unknown.
  ///   - seeks: Whether the frame to decode is not the first one; the times of frames are then known even if the other
  ///     facts are not complete.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  package init(
    descriptor: Int32,
    stream: Int? = nil,
    programme: Int? = nil,
    artwork: CoverRequest.Artwork = .never,
    completely: Bool = true,
    seeks: Bool = false,
    limits: Limits = Limits()
  ) throws(CoverFailure) {
    var cLimits = limits.forShim
    cLimits.stream = stream.map { Int32(clamping: $0) } ?? -1
    cLimits.programme = programme.map { Int32(clamping: $0) } ?? 0
    cLimits.embedded = ccover_embedded(artwork)
    (cLimits.complete_facts, cLimits.seeks) = (completely, seeks)
    cLimits.search_bytes = completely ? 64 << 20 : 1 << 20
    handle = try cLimits.open(descriptor)
  }

  deinit {
    var handle = handle
    ccover_close(&handle)
  }

  /// The handle of the open clip.
  var openHandle: OpaquePointer {
    guard let handle else { preconditionFailure("a clip is open from its init to its deinit") }
    return handle
  }

  /// The facts given by the container and its headers.
  package var facts: ClipFacts {
    var facts = ccover_clip_facts()
    ccover_get_clip_facts(openHandle, &facts)
    return ClipFacts(facts)
  }

  /// The work done until now.
  package var counters: Counters {
    var counters = ccover_counters()
    ccover_get_counters(openHandle, &counters)
    return Counters(
      bytesRead: Int(counters.bytes_read),
      seeks: Int(counters.seeks),
      packetsRead: Int(counters.packets_read),
      framesDecoded: Int(counters.frames_decoded),
      decodeErrors: Int(counters.decode_errors)
    )
  }

  /// Sets the time limit for all further work with the clip.
  mutating func setDeadline(_ deadline: Duration) {
    ccover_set_deadline(openHandle, deadline / .microseconds(1))
  }

  /// Decodes the first frame and keeps it.
  ///
  /// Must be called only once, before any other frame is decoded.
  ///
  /// - Parameter reduction: How many times the sides of the stored frame are at least as long as those of the cover, so
  ///   that work on details that would not be visible may be skipped; 1 for an exact frame.
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`.
  mutating func decodeFirst(reduction: Int = 1) throws(CoverFailure) -> ccover_frame_facts {
    var facts = ccover_frame_facts()
    let handle = openHandle
    try withCoverError { ccover_decode_first(handle, Int32(clamping: reduction), &facts, &$0) }
    return facts
  }

  /// Returns the frame for a time.
  ///
  /// In an interruption, the frame before it is the right one, although a damaged one follows it.
  private func frame(
    at time: Duration,
    decode: (_ facts: inout ccover_frame_facts, _ error: inout ccover_error) -> Int32
  ) throws(CoverFailure) -> ccover_frame_facts {
    var facts = ccover_frame_facts()
    let errors = counters.decodeErrors
    try withCoverError { decode(&facts, &$0) }
    if facts.is_replacement, counters.decodeErrors == errors, let damaged = facts.replacedTime,
      isInterrupted(at: time, after: facts, damaged: .seconds(damaged))
    {
      (facts.is_replacement, facts.replaced) = (false, ccover_unknown_time)
    }
    return facts
  }

  /// Whether a time is in an interruption of a transport stream, where the frame before it is held.
  ///
  /// The last packet before an interruption may be incomplete, so libavformat marks it as corrupt. No frame is shown for a
  /// while after it.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - frame: The last intact frame before the time.
  ///   - damaged: The time of the last frame before the time.
  private func isInterrupted(at time: Duration, after frame: ccover_frame_facts, damaged: Duration) -> Bool {
    guard let shown = frame.presentationTime?.value else { return false }
    return damaged - .seconds(shown) < .milliseconds(500) && time - damaged >= .seconds(1)
      && facts.container == "mpegts"
  }

  /// Whether the frame found for a time is from before the last key frame, because that one and those after it are damaged.
  ///
  /// - Parameters:
  ///   - frame: The frame that was found.
  ///   - time: The time.
  ///   - key: The time of the last key frame at or before the time; `nil` if it is unknown.
  func isReplaced(_ frame: ccover_frame_facts, at time: Duration, key: Duration?) -> Bool {
    guard let key, frame.isBefore(key) else { return false }
    return !isInterrupted(at: time, after: frame, damaged: key)
  }

  /// Decodes the frame for a time and keeps it.
  ///
  /// May be called any number of times for a clip that was opened with `seeks`.
  ///
  /// - Parameters:
  ///   - time: The time, counted from the start of the video.
  ///   - isKeyFrame: Whether to decode the last key frame at or before the time instead; frames after it
  ///     cannot be decoded.
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`.
  mutating func decode(at time: Duration, isKeyFrame: Bool = false) throws(CoverFailure) -> ccover_frame_facts {
    let handle = openHandle
    return try frame(at: time) { ccover_decode_at(handle, time / .microseconds(1), isKeyFrame, &$0, &$1) }
  }

  /// Returns the time of the last key frame at or before a time, without decoding it; `nil` if none was found.
  mutating func timeOfKeyFrame(before time: Duration) -> Duration? {
    var found: Int64 = 0
    return ccover_find_key_frame(openHandle, time / .microseconds(1), &found) ? .microseconds(found) : nil
  }

  /// Whether the clip has nothing but the packets of a stream, whose frames may have no times.
  var isRaw: Bool { ccover_get_traits(openHandle).is_raw }

  /// Whether the clip's picture is one attached to it, such as artwork, which is the same at all times.
  var hasOnePicture: Bool { ccover_get_traits(openHandle).has_one_picture }

  /// Whether frames were decoded that the container wrongly marks as key frames; no key frames are found then.
  var hasFalseKeyFrames: Bool { ccover_get_traits(openHandle).has_false_keys }

  /// Decodes the key frame whose time was returned last, and keeps it.
  ///
  /// - Parameter alone: Whether the frames after it are not wanted; it is then found faster.
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`.
  mutating func decodeKeyFrame(alone: Bool = false) throws(CoverFailure) -> ccover_frame_facts {
    var facts = ccover_frame_facts()
    let handle = openHandle
    try withCoverError { ccover_decode_key_frame(handle, alone, &facts, &$0) }
    return facts
  }

  /// Sets whether frames are decoded quickly rather than well, which is good enough for comparing them.
  mutating func setDraft(_ isDraft: Bool) {
    ccover_set_draft(openHandle, isDraft)
  }

  /// Frees all frames but the one decoded last; afterwards only frames at a time can be decoded.
  mutating func releaseDecoder() {
    ccover_release_decoder(openHandle)
  }

  /// Returns the largest packet in each of several equal parts of the clip, in order, without decoding anything.
  ///
  /// - Parameters:
  ///   - count: The number of parts.
  ///   - maximumBytes: The number of bytes to read at most if the container has no index.
  /// - Returns: An empty list if the duration is unknown.
  mutating func largePackets(count: Int, maximumBytes: Int) -> [ccover_large_packet] {
    let handle = openHandle
    return withUnsafeTemporaryAllocation(of: ccover_large_packet.self, capacity: count) { found in
      guard let first = found.baseAddress else { return [] }
      let number = ccover_list_large_packets(handle, first, Int32(clamping: count), Int64(maximumBytes))
      return Array(found.prefix(Int(number)))
    }
  }

  /// Returns whether ``decodeOn(to:)`` is the shortest way to the frame shown at a time, according to
  /// the container's index.
  func leads(to time: Duration) -> Bool {
    ccover_is_reachable_without_seek(openHandle, time / .microseconds(1))
  }

  /// Continues from a frame decoded for a time to the frame that is shown at a later time, without
  /// seeking, and keeps it.
  ///
  /// - Parameter time: The time, counted from the start of the video.
  /// - Throws: `CoverFailure` with the stage `seek` or `decode`.
  mutating func decodeOn(to time: Duration) throws(CoverFailure) -> ccover_frame_facts {
    let handle = openHandle
    return try frame(at: time) { ccover_decode_on(handle, time / .microseconds(1), &$0, &$1) }
  }

  /// Decodes the frame presented after one decoded for a time, and keeps it instead; returns `nil`
  /// after the last frame.
  ///
  /// - Throws: `CoverFailure` with the stage `decode`.
  mutating func decodeNext() throws(CoverFailure) -> ccover_frame_facts? {
    var facts = ccover_frame_facts()
    let handle = openHandle
    var status: Int32 = 0
    try withCoverError { error in
      status = ccover_decode_next(handle, &facts, &error)
      return status < 0 ? status : 0
    }
    return status == 0 ? facts : nil
  }

  /// Finds the duration at the end of the file if the container does not give it, and another recording in a transport
  /// or program stream.
  ///
  /// - Parameters:
  ///   - places: The number of places where the times of such a stream are compared. A recording is found if it is
  ///     longer than the distance between two of them.
  ///   - rewinds: Whether to go back to the beginning of the clip, so that frames can be decoded afterwards; the frame
  ///     decoded last is lost.
  mutating func findDuration(comparing places: Int32 = 6, rewinds: Bool = false) {
    ccover_find_duration(openHandle, places, rewinds)
  }

  /// Decodes the first frame if its size, shape or colours may differ from those in the header, and uses them as facts
  /// of the clip.
  ///
  /// No frames can be decoded afterwards.
  mutating func lookAtFrame() {
    ccover_look_at_frame(openHandle)
  }

  /// Finds the duration of a raw stream by reading all of it; does nothing for other clips.
  ///
  /// Afterwards only frames at a time can be decoded.
  mutating func findRawDuration() {
    ccover_find_raw_duration(openHandle)
  }
}

extension ClipDecoder.Limits {
  /// The limits for the shim, which selects the first video stream.
  var forShim: ccover_limits {
    var limits = ccover_limits()
    limits.deadline_microseconds = deadline / .microseconds(1)
    limits.max_pixels = Int64(maximumPixels)
    limits.max_streams = Int32(clamping: maximumStreams)
    limits.stream = -1
    limits.raw_format = ccover_raw_format(rawFormat)
    return limits
  }
}

extension ccover_limits {
  /// Opens a clip within the limits; the handle is to be closed.
  mutating func open(_ descriptor: Int32) throws(CoverFailure) -> OpaquePointer {
    var handle: OpaquePointer?
    do throws(CoverFailure) {
      try withCoverError { ccover_open(descriptor, &self, &handle, &$0) }
    } catch {
      throw error.advice == .videoExpected ? LostBeginning.explain(error, of: descriptor) : error
    }
    guard let handle else { throw CoverFailure(stage: .open, cause: .misuse, message: "no clip was opened") }
    return handle
  }
}

extension ccover_raw_format {
  fileprivate init(_ format: RawFormat?) {
    self =
      switch format {
      case nil: CCOVER_RAW_NONE
      case .h261: CCOVER_RAW_H261
      case .h263: CCOVER_RAW_H263
      case .h264: CCOVER_RAW_H264
      case .hevc: CCOVER_RAW_HEVC
      case .mpegvideo: CCOVER_RAW_MPEG
      case .m4v: CCOVER_RAW_MPEG4
      case .mjpeg: CCOVER_RAW_MJPEG
      case .obu: CCOVER_RAW_OBU
      case .vc1: CCOVER_RAW_VC1
      case .dirac: CCOVER_RAW_DIRAC
      case .cavsvideo: CCOVER_RAW_CAVS
      case .dv: CCOVER_RAW_DV
      }
  }
}

extension ccover_embedded {
  fileprivate init(_ artwork: CoverRequest.Artwork) {
    self =
      switch artwork {
      case .never: CCOVER_EMBEDDED_NEVER
      case .fallback: CCOVER_EMBEDDED_FALLBACK
      case .prefer: CCOVER_EMBEDDED_PREFER
      }
  }
}

extension Duration {
  /// The number of whole `unit`s in a duration, rounded to the nearest and clamped to 64 bits.
  fileprivate static func / (duration: Duration, unit: Duration) -> Int64 {
    Int64(clamping: (duration.attoseconds + unit.attoseconds / 2) / unit.attoseconds)
  }
}
