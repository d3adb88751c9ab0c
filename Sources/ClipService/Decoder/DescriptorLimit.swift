internal import Glibc

/// The limit on the number of files, pipes and sockets this process may have open.
package enum DescriptorLimit {
  /// The descriptors needed by a batch itself, and by each decoder: its socket and lifeline, pipes and process, a clip,
  /// a folder and two covers.
  private static let ofBatch = 24
  private static let ofDecoder = 12
  /// The descriptors needed by a program with one decoder, plus a margin.
  private static let ofOneDecoder = 21

  /// Raises the soft limit if it is too low for one decoder.
  ///
  /// - Throws: ``ServiceError`` if the hard limit is also too low, because running out of descriptors while starting a
  ///   process can terminate the program.
  static func makeRoomForOneDecoder() throws(ServiceError) {
    try makeRoom(for: ofOneDecoder, what: "a decoder needs", advice: "")
  }

  /// Raises the soft limit if it is too low for the decoders of a batch; see `makeRoomForOneDecoder()`.
  package static func makeRoom(forDecoders count: Int) throws(ServiceError) {
    try makeRoom(
      for: ofBatch + ofDecoder * count,
      what: count == 1 ? "a batch with one decoder needs" : "\(count) decoders need",
      advice: count == 1 ? "" : "use fewer with --jobs, or "
    )
  }

  /// Raises the soft limit if it is too low for the decoders of a program's pool; see `makeRoomForOneDecoder()`.
  package static func makeRoom(forPoolOf count: Int) throws(ServiceError) {
    try makeRoom(
      for: ofBatch + ofDecoder * count,
      what: count == 1 ? "a decoder needs" : "\(count) decoders need",
      advice: count == 1 ? "" : "use a pool with a lower limit, or "
    )
    // A process that is started with fewer would end unnoticed, and be waited for.
    let opened = Array(sequence(first: openAny()) { _ in openAny() }.prefix(ofDecoder).prefix { $0 >= 0 })
    for descriptor in opened { close(descriptor) }
    guard opened.count < ofDecoder else { return }
    throw ServiceError(
      "a decoder needs \(ofDecoder) file descriptors, but too many open files leave \(opened.count); close some, or raise "
        + "the limit (ulimit -n)"
    )
  }

  private static func openAny() -> CInt { open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Raises the soft limit if it is too low for a composer that reads clips; see `makeRoomForOneDecoder()`.
  package static func makeRoom(forClips count: Int) throws(ServiceError) {
    let advice = count == 1 ? "" : "use fewer clips, or "
    try makeRoom(for: ofOneDecoder + count, what: "\(count) clips need", advice: advice)
  }

  /// Raises the soft limit if it is too low for processes on standby beside those that work, and returns whether it
  /// suffices then.
  static func hasRoom(forProcesses count: Int, besideClips clips: Int) -> Bool {
    limit(below: ofOneDecoder + clips + ofDecoder * count) == nil
  }

  private static func makeRoom(for needed: Int, what: String, advice: String) throws(ServiceError) {
    guard let limit = limit(below: needed) else { return }
    throw ServiceError(
      "\(what) \(needed) file descriptors, but the limit is \(limit); \(advice)raise the limit (ulimit -n)"
    )
  }

  /// Raises the soft limit if it is too low, and returns the limit if it cannot be raised enough.
  private static func limit(below needed: Int) -> rlim_t? {
    let needed = rlim_t(needed)
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < needed else { return nil }
    limit.rlim_cur = min(needed, limit.rlim_max)
    guard limit.rlim_cur < needed || setrlimit(kind, &limit) != 0 else { return nil }
    return limit.rlim_cur
  }
}
