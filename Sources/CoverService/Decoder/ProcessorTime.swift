internal import CDescriptors
internal import Glibc

/// The processor time available to a decoder.
enum ProcessorTime {
  /// Raises the soft limit of a child process to the time it has used plus the given time.
  ///
  /// This is best effort: the limit stops a decoder whose parent was killed. A decoder that misses a deadline is killed
  /// by its parent.
  static func allow(_ time: Duration, to process: pid_t) {
    _ = cdescriptors_allow_processor_time(process, UInt32(clamping: time.components.seconds + 2))
  }
}
