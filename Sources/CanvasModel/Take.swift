/// A recording that is open: from its start until its clip is there or it is discarded.
public struct Take: Hashable, Sendable {
  /// A stretch without a pause.
  public struct Segment: Hashable, Sendable {
    /// When it began.
    public let start: Instant
    /// When it ended; `nil` while it is recorded.
    public var end: Instant?

    /// Makes one of its parts.
    public init(start: Instant, end: Instant? = nil) {
      self.start = start
      self.end = end
    }
  }

  /// The process that records.
  public struct Owner: Hashable, Sendable {
    /// Its number.
    public let processID: Int
    /// When it was started, in the kernel's clock ticks since boot, so that another process of the same number is told
    /// apart.
    public let startTicks: Int
    /// Of the running system, so that a process before a restart is.
    public let bootID: String

    /// Makes one of its parts.
    public init(processID: Int, startTicks: Int, bootID: String) {
      (self.processID, self.startTicks, self.bootID) = (processID, startTicks, bootID)
    }
  }

  /// Its name.
  public let id: TakeID
  /// Where it is recorded; the clip comes here, wherever the focus is.
  public let canvas: CanvasID
  /// In the order of time.
  public var segments: [Segment]
  /// Why it was interrupted, in words; `nil` when it was not, or went on.
  public var interruption: String?
  /// Who records, when a recorder holds it.
  public var owner: Owner?

  /// Makes one of its parts.
  public init(
    id: TakeID,
    canvas: CanvasID,
    segments: [Segment],
    interruption: String? = nil,
    owner: Owner? = nil
  ) {
    (self.id, self.canvas, self.segments) = (id, canvas, segments)
    (self.interruption, self.owner) = (interruption, owner)
  }

  /// How long it is, its pauses left out, in seconds.
  ///
  /// - Parameter now: Up to when an open segment lasts.
  public func duration(until now: Instant) -> Double {
    segments.reduce(0) { sum, segment in
      sum + max(0, (segment.end ?? now).secondsSince1970 - segment.start.secondsSince1970)
    }
  }

  /// The same in whole seconds; `nil` where the instants make no sense.
  public func seconds(until now: Instant) -> Int? { Int(exactly: duration(until: now).rounded(.down)) }

  /// Begins a segment; not before the former one ended, even when the clock was set back.
  mutating func openSegment(at instant: Instant) {
    segments.append(Segment(start: max(instant, segments.last?.end ?? instant)))
  }

  /// Ends the segment that is open, if one is; not before it began.
  mutating func closeSegment(at instant: Instant) {
    guard let last = segments.indices.last, segments[last].end == nil else { return }
    segments[last].end = max(instant, segments[last].start)
  }
}
