internal import Glibc
internal import SystemPackage

/// The kernel's status of a process, from `/proc/PID/stat`.
package struct ProcessStatus: Sendable {
  /// The letter of its state.
  private let state: Substring
  /// The process ID of its parent.
  package let parent: Int32

  /// Reads the status; `nil` if the process does not exist.
  package init?(of pid: Int32) {
    guard let bytes = try? ScratchFolder.read(FilePath("/proc/\(pid)/stat")) else { return nil }
    // After the name, which is in parentheses and may be anything.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    guard words.count > 1, let parent = Int32(words[1]) else { return nil }
    (state, self.parent) = (words[0], parent)
  }

  /// Whether it has ended, and its parent has not yet asked how.
  package var isZombie: Bool { state == "Z" }

  /// Whether it was stopped by a signal, or by a program that traces it.
  package var isStopped: Bool { state == "T" || state == "t" }

  /// Whether a process runs; an ended process stays in the table as a zombie until its parent reaps it.
  package static func isRunning(_ pid: Int32) -> Bool { Self(of: pid).map { !$0.isZombie } ?? false }

  /// Returns the process IDs of the current children of a process (default: this one).
  package static func children(of parent: Int32 = getpid()) -> [Int32] {
    let names = (try? ScratchFolder.names(in: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { Self(of: $0)?.parent == parent }
  }
}
