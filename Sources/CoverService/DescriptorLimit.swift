internal import Glibc

/// How many files, pipes and sockets this process may have open.
enum DescriptorLimit {
  /// What the program itself takes, and what each decoder: its socket, pipes and number, a clip, a folder and two covers.
  private static let own = 24
  private static let ofDecoder = 11

  /// Sees to it that there is room for decoders, as far as the system allows.
  ///
  /// - Throws: ``ServiceError`` when there is not: to run out of descriptors while a process is started can end the
  ///   program.
  static func makeRoom(forDecoders count: Int) throws(ServiceError) {
    let needed = rlim_t(own + ofDecoder * count)
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < needed else { return }
    limit.rlim_cur = min(needed, limit.rlim_max)
    guard limit.rlim_cur < needed || setrlimit(kind, &limit) != 0 else { return }
    throw ServiceError(
      "\(count) decoders need \(needed) file descriptors and this process may have \(limit.rlim_cur); "
        + "use fewer with --jobs, or raise the limit (ulimit -n)"
    )
  }
}
