package import CanvasModel
internal import Glibc

extension Take.Owner {
  /// Creates the owner for a running process; `nil` if the process does not exist or cannot be identified.
  package init?(processID: Int) {
    guard let bootID = Self.presentBootID, let ticks = Self.startTicks(of: processID) else { return nil }
    self.init(processID: processID, startTicks: ticks, bootID: bootID)
  }

  /// Whether the process is still running; a process with the same ID that was started at another time, or before the
  /// system was restarted, is a different process.
  ///
  /// Without `/proc`, any process with this ID counts as the owner, so that a running recorder never counts as dead.
  package var isAlive: Bool {
    guard Self.canBeIdentified else { return kill(pid_t(clamping: processID), 0) == 0 || errno == EPERM }
    return Take.Owner(processID: processID) == self
  }

  /// Whether processes can be identified beyond their ID, which requires `/proc`.
  package static var canBeIdentified: Bool { presentBootID != nil }

  private static var presentBootID: String? {
    text(of: "/proc/sys/kernel/random/boot_id")?.split(whereSeparator: \.isWhitespace).first.map(String.init)
  }

  /// Returns the start time, the 22nd field of `/proc/PID/stat`.
  ///
  /// Fields are counted after the process name, which may contain any characters; see proc(5).
  private static func startTicks(of processID: Int) -> Int? {
    guard let text = text(of: "/proc/\(processID)/stat"), let nameEnd = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: nameEnd)...].split(separator: " ")
    // A zombie (Z) or dead (X) process no longer records.
    guard fields.count > 19, let state = fields.first, state != "Z", state != "X" else { return nil }
    return Int(fields[19])
  }

  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
