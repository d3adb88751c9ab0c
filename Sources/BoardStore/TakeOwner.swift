public import CanvasModel
internal import Glibc

extension Take.Owner {
  /// The process of a number, as it runs now; `nil` where there is none.
  public init?(processID: Int) {
    guard let bootID = Self.presentBootID, let ticks = Self.startTicks(of: processID) else { return nil }
    self.init(processID: processID, startTicks: ticks, bootID: bootID)
  }

  /// Whether the process still runs: one of its number that was started at another time, or before the system was, is
  /// another one.
  ///
  /// Where there is no `/proc` to compare them by, every process of the number counts as this one, so that no recording
  /// is taken for dead that goes on.
  public var isAlive: Bool {
    guard Self.canBeIdentified else { return kill(pid_t(clamping: processID), 0) == 0 || errno == EPERM }
    return Take.Owner(processID: processID) == self
  }

  /// Whether the system shows which process is which.
  public static var canBeIdentified: Bool { presentBootID != nil }

  private static var presentBootID: String? {
    text(of: "/proc/sys/kernel/random/boot_id")?.split(whereSeparator: \.isWhitespace).first.map(String.init)
  }

  /// The 22nd field of `/proc/PID/stat`, counted from behind the name, which may hold anything; see proc(5).
  private static func startTicks(of processID: Int) -> Int? {
    guard let text = text(of: "/proc/\(processID)/stat"), let nameEnd = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: nameEnd)...].split(separator: " ")
    // A zombie (Z) or dead (X) process records nothing more.
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
