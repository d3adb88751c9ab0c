internal import CLinux

/// The processor time available to a decoder.
package enum ProcessorTime {
  /// Raises the soft limit of a child process to the time it has used plus the given time.
  ///
  /// This is best effort: the limit stops a decoder whose parent was killed. A decoder that misses a deadline is killed
  /// by its parent.
  package static func allow(_ time: Duration, to process: Int32) {
    // Both times are cut to whole seconds, so the limit is two seconds later.
    _ = clinux_allow_processor_time(process, UInt32(clamping: time.components.seconds + 2))
  }
}
