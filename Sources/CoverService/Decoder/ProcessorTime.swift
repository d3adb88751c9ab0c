internal import CDescriptors
internal import Glibc

/// The processor time that a decoder may use.
enum ProcessorTime {
  /// Raises the soft limit of a child process to what it has used, and so much more.
  ///
  /// Best effort: the limit is for a decoder whose parent was killed. One that is late for its parent is killed by that.
  static func allow(_ time: Duration, to process: pid_t) {
    _ = cdescriptors_allow_processor_time(process, UInt32(clamping: time.components.seconds + 2))
  }
}
