/// An open recording, from its start until its clip is available or it is discarded.
package struct Take: Hashable, Sendable {
  /// A part of a recording between pauses.
  package struct Segment: Hashable, Sendable {
    /// The start of the segment.
    package let start: Instant
    /// The end of the segment; `nil` while it is being recorded.
    package var end: Instant?

    /// Creates a segment.
    package init(start: Instant, end: Instant? = nil) {
      self.start = start
      self.end = end
    }
  }

  /// The process that records.
  package struct Owner: Hashable, Sendable {
    /// The process ID.
    package let processID: Int
    /// The start time of the process in clock ticks since boot, which distinguishes processes that reuse an ID.
    package let startTicks: Int
    /// The boot ID of the system, which distinguishes processes from before a reboot.
    package let bootID: String

    /// Creates an owner.
    package init(processID: Int, startTicks: Int, bootID: String) {
      (self.processID, self.startTicks, self.bootID) = (processID, startTicks, bootID)
    }
  }

  /// The take's ID.
  package let id: TakeID
  /// The canvas that the take is recorded on; it receives the clip, even if another canvas has the focus.
  package let canvas: CanvasID
  /// The segments in chronological order.
  package var segments: [Segment]
  /// The reason for an interruption, in words; `nil` without one, or if the recording was resumed.
  package var interruption: String?
  /// The recording process, if a recorder owns the take.
  package var owner: Owner?

  /// Creates a take.
  package init(
    id: TakeID,
    canvas: CanvasID,
    segments: [Segment],
    interruption: String? = nil,
    owner: Owner? = nil
  ) {
    (self.id, self.canvas, self.segments) = (id, canvas, segments)
    (self.interruption, self.owner) = (interruption, owner)
  }

  /// Returns the duration in seconds, without pauses.
  ///
  /// - Parameter now: The assumed end of an open segment.
  package func duration(until now: Instant) -> Double {
    segments.reduce(0) { sum, segment in
      sum + max(0, (segment.end ?? now).secondsSince1970 - segment.start.secondsSince1970)
    }
  }

  /// Returns the duration in whole seconds; `nil` if it cannot be represented.
  package func seconds(until now: Instant) -> Int? { Int(exactly: duration(until: now).rounded(.down)) }

  /// Starts a segment, no earlier than the end of the previous one, even if the clock was set back.
  mutating func openSegment(at instant: Instant) {
    segments.append(Segment(start: max(instant, segments.last?.end ?? instant)))
  }

  /// Ends the open segment, if any, no earlier than its start.
  mutating func closeSegment(at instant: Instant) {
    guard let last = segments.indices.last, segments[last].end == nil else { return }
    segments[last].end = max(instant, segments[last].start)
  }
}
