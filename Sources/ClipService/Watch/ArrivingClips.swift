internal import Synchronization

/// The clips that arrive in watched folders; it ends when nothing has arrived for a moment and no
/// clip is being processed.
struct ArrivingClips: ClipFinder {
  let watch: ClipWatch
  /// No further clip is returned after this time, so that other work can run.
  let end: ContinuousClock.Instant
  let passedOver = PassedOver()

  mutating func next() -> Finding? {
    var quietSince = ContinuousClock.now
    while !watch.isStopped, ContinuousClock.now < end {
      if let clip = watch.takeClip() { return .clip(clip) }
      let isBusy = watch.state.withLock { !$0.inWork.isEmpty }
      if isBusy { quietSince = .now }
      let rest = watch.times.lingering - quietSince.duration(to: .now)
      guard rest > .zero else { return nil }
      watch.wait(isBusy ? nil : rest)
    }
    return nil
  }
}

/// The clips found by searching watched folders, except those that may still be written.
struct SearchedClips: ClipFinder {
  var source: ClipSource
  let watch: ClipWatch

  var passedOver: PassedOver { source.passedOver }

  mutating func next() throws(ServiceError) -> Finding? {
    while let finding = try source.next() {
      guard case .clip(var clip) = finding else { return finding }
      clip.mayVanish = true
      if !watch.postpones(clip) { return .clip(clip) }
    }
    return nil
  }
}
