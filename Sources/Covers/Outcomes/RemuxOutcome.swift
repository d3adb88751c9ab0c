/// How clips are copied into another container.
package struct RemuxRequest: Codable, Hashable, Sendable {
  /// The limits of a part of a clip.
  package struct Part: Codable, Hashable, Sendable {
    /// When the part starts; `nil` if it starts with the clip.
    package var from: RequestedTime.Position?
    /// The time that its frames are shown before; `nil` if it ends with the clip.
    package var to: RequestedTime.Position?

    /// Creates a part.
    package init(from: RequestedTime.Position?, to: RequestedTime.Position?) {
      (self.from, self.to) = (from, to)
    }
  }

  /// The container.
  package var container: VideoContainer
  /// Whether the index of an MP4 or MOV comes before the media, so that playback over a network can start at once.
  package var isIndexFirst: Bool
  /// The number of the programme of transport streams that is copied; `nil` for all.
  package var programme: Int?
  /// The part of a single clip that is copied; `nil` for all of it.
  package var part: Part?

  /// Creates a request.
  package init(container: VideoContainer, isIndexFirst: Bool = false) {
    (self.container, self.isIndexFirst) = (container, isIndexFirst)
  }
}

/// A video that was written by copying streams.
package struct RemuxFacts: Codable, Hashable, Sendable {
  /// A clip that was copied.
  package struct Part: Codable, Hashable, Sendable {
    /// The duration in seconds.
    package var durationSeconds: Double
    /// The number of packets that were read of the streams that were copied.
    ///
    /// Those that were neither copied nor lost are not needed: they are not shown, and no other packet requires them.
    package var packetsRead: Int
    /// The number of packets that were copied.
    package var packets: Int
    /// The number of packets that are damaged, that damage left without a time, or whose sound is heard already, because
    /// timestamps went back.
    package var packetsLost: Int
    /// The number of streams that were not copied, such as timecodes.
    package var streamsLeftOut: Int
    /// Whether the clip is cut off or damaged; it was copied up to there.
    package var endedEarly: Bool
    /// Whether a part of the clip cannot be read, and is missing.
    package var isDamaged: Bool
    /// The place of the first damage, in seconds from the start of the copied clip; `nil` without damage.
    package var damagedAtSeconds: Double?
    /// Whether timestamps went back, by more than a rounding error, and were moved.
    package var movedTimes: Bool
    /// The place of the first of them, in seconds from the start of the copied clip; `nil` if they did not.
    package var movedAtSeconds: Double?

    /// Creates a description of a part.
    package init(
      durationSeconds: Double,
      packetsRead: Int,
      packets: Int,
      packetsLost: Int,
      streamsLeftOut: Int,
      endedEarly: Bool,
      damagedAtSeconds: Double?,
      movedAtSeconds: Double?
    ) {
      (self.packetsRead, self.packets, self.packetsLost) = (packetsRead, packets, packetsLost)
      (self.durationSeconds, self.streamsLeftOut, self.endedEarly) = (durationSeconds, streamsLeftOut, endedEarly)
      (isDamaged, self.damagedAtSeconds) = (damagedAtSeconds != nil, damagedAtSeconds)
      (movedTimes, self.movedAtSeconds) = (movedAtSeconds != nil, movedAtSeconds)
    }
  }

  /// The part of a clip that was copied, in seconds from the start of the clip's video.
  package struct Cut: Codable, Hashable, Sendable {
    /// When the part was to start; `nil` if with the clip.
    package var fromSeconds: Double?
    /// When the part was to end; `nil` if with the clip.
    package var toSeconds: Double?
    /// The time of the first frame that the video shows.
    package var startSeconds: Double
    /// The time when the video ends.
    package var endSeconds: Double
    /// The time of the key frame that its packets start with.
    package var keyFrameSeconds: Double

    /// Creates a description of a part.
    package init(
      fromSeconds: Double?,
      toSeconds: Double?,
      startSeconds: Double,
      endSeconds: Double,
      keyFrameSeconds: Double
    ) {
      (self.fromSeconds, self.toSeconds) = (fromSeconds, toSeconds)
      (self.startSeconds, self.endSeconds, self.keyFrameSeconds) = (startSeconds, endSeconds, keyFrameSeconds)
    }
  }

  /// The duration in seconds.
  package var durationSeconds: Double
  /// The size of the file.
  package var bytes: Int
  /// The number of video streams, attached pictures included.
  package var videoStreams: Int
  /// The number of audio streams.
  package var audioStreams: Int
  /// The number of streams with subtitles.
  package var subtitleStreams: Int
  /// The clips, in the order of the video.
  package var parts: [Part]
  /// The part that was copied; `nil` for all of the clips.
  package var cut: Cut?

  /// Creates a description of a video.
  package init(
    durationSeconds: Double,
    bytes: Int,
    videoStreams: Int,
    audioStreams: Int,
    subtitleStreams: Int,
    parts: [Part],
    cut: Cut? = nil
  ) {
    (self.durationSeconds, self.bytes, self.parts, self.cut) = (durationSeconds, bytes, parts, cut)
    (self.videoStreams, self.audioStreams, self.subtitleStreams) = (videoStreams, audioStreams, subtitleStreams)
  }
}

/// The result of copying clips into another container.
package struct RemuxOutcome: Encodable, Sendable {
  /// The kind of result.
  package enum Status: String, Codable, Sendable {
    case remuxed, failed
  }

  /// The paths of the clips, for display.
  package var clips: [String]
  /// The path of the video, for display.
  package var output: String
  /// The container of the video.
  package var container: VideoContainer
  /// The video, or the reason why it was not written.
  package var result: Result<RemuxFacts, CoverFailure>
  /// The clip that the failure is about; `nil` if it is about the video.
  package var failedClip: String?

  /// Creates an outcome.
  package init(
    clips: [String],
    output: String,
    container: VideoContainer,
    result: Result<RemuxFacts, CoverFailure>,
    failedClip: String? = nil
  ) {
    (self.clips, self.output, self.container) = (clips, output, container)
    (self.result, self.failedClip) = (result, failedClip)
  }

  private enum CodingKeys: String, CodingKey {
    case status, clips, output, container, clip
  }

  /// Writes one flat object: the paths, and the video or the failure.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(clips, forKey: .clips)
    try container.encode(output, forKey: .output)
    try container.encode(self.container, forKey: .container)
    switch result {
    case .success(let facts):
      try container.encode(Status.remuxed, forKey: .status)
      try facts.encode(to: encoder)
    case .failure(let failure):
      try container.encode(Status.failed, forKey: .status)
      try container.encodeIfPresent(failedClip, forKey: .clip)
      try failure.encode(to: encoder)
    }
  }
}
