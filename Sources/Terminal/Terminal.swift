internal import CShortage
internal import CTerminal
internal import Glibc

/// The terminal of this process, taken for a full screen.
///
/// It is brought back when the owner goes, when the program exits, and when a signal ends or stops it; after a stop the
/// screen is taken again. Only `SIGKILL` leaves it as it is.
public struct Terminal: ~Copyable {
  /// How much fits onto it.
  public struct Size: Hashable, Sendable {
    /// At least 1.
    public let columns: Int
    /// At least 1.
    public let rows: Int
    /// The size of a character; `nil` where the terminal does not report it.
    public let character: CharacterSize?

    /// Creates a size.
    public init(columns: Int, rows: Int, character: CharacterSize? = nil) {
      (self.columns, self.rows, self.character) = (columns, rows, character)
    }
  }

  /// What has happened.
  public enum Occurrence: Hashable, Sendable {
    case input(Input)
    /// It may have another size now.
    case resized
    /// The program goes on after a stop: everything is to be drawn anew.
    case resumed
    /// Somebody has hung up: nothing more comes.
    case closed
    /// Another descriptor can be read.
    case readable(Int32)
    case timeIsOver
  }

  /// Why there is no full screen.
  public struct Unusable: Error, Hashable, Sendable {
    /// The system's number.
    public let systemError: Int32
  }

  private let signals: Int32
  private var decoder = InputDecoder()

  private static let input = STDIN_FILENO
  private static let output = STDOUT_FILENO

  /// Alternate screen, no cursor, mouse (presses, in SGR form), pasted text in brackets.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
  /// The same backwards; first out of any sequence that was cut off midway.
  private static let leave =
    "\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"
  /// How long the rest of a sequence may take; what comes later was typed.
  private static let escapeMilliseconds: Int32 = 50

  /// Whether standard input and output are one.
  public static var isThere: Bool { isatty(input) == 1 && isatty(output) == 1 }

  /// Takes the terminal; once a process.
  ///
  /// - Throws: ``Unusable`` when standard output is none.
  public init() throws(Unusable) {
    let (enter, leave) = (Self.enter, Self.leave)
    signals = enter.withCString { enterText in
      leave.withCString { cterminal_enter(Self.output, enterText, enter.utf8.count, $0, leave.utf8.count) }
    }
    guard signals >= 0 else { throw Unusable(systemError: errno) }
    cshortage_set_last_act(cterminal_leave)
  }

  deinit {
    cterminal_leave()
  }

  /// How much fits onto it now.
  public var size: Size {
    var size = cterminal_size()
    guard cterminal_get_size(Self.output, &size) == 0 else { return Size(columns: 80, rows: 24) }
    let (columns, rows) = (Int(size.columns), Int(size.rows))
    let (width, height) = (Int(size.pixel_width) / columns, Int(size.pixel_height) / rows)
    let character = width > 0 && height > 0 ? CharacterSize(width: width, height: height) : nil
    return Size(columns: columns, rows: rows, character: character)
  }

  /// Writes bytes, in one call of the system where it takes them all.
  ///
  /// What a terminal that is gone does not take is lost; ``wait(or:for:)`` tells that it is.
  public borrowing func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(Self.output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var output = pollfd(fd: Self.output, events: Int16(POLLOUT), revents: 0)
          _ = poll(&output, 1, -1)
        } else if errno != EINTR {
          return
        }
      }
    }
  }

  /// Waits for something to happen, without using the processor.
  ///
  /// - Parameters:
  ///   - descriptors: Others that are waited for.
  ///   - timeout: How long to wait; `nil` for ever.
  /// - Returns: What has happened; more than one thing where several have, never nothing.
  public mutating func wait(or descriptors: [Int32], for timeout: Duration?) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while occurrences.isEmpty {
      let rest = deadline.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)) }
      let milliseconds = rest.map { Int32(min($0, 1e9).rounded(.up)) } ?? -1
      let escape = decoder.isWaiting && !(0..<Self.escapeMilliseconds).contains(milliseconds)
      var inputs = ([Self.input, signals] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&inputs, nfds_t(inputs.count), escape ? Self.escapeMilliseconds : milliseconds)
      if ready == 0 {
        occurrences = decoder.finish().map { .input($0) } + (escape ? [] : [.timeIsOver])
      } else if ready > 0 {
        if inputs[1].revents != 0 { occurrences += readSignals() }
        if inputs[0].revents != 0 { occurrences += readInput() }
        occurrences += inputs.dropFirst(2).filter { $0.revents != 0 }.map { .readable($0.fd) }
      }
    }
    return occurrences
  }

  private func readSignals() -> [Occurrence] {
    Set(Self.read(signals) ?? [])
      .compactMap { byte in
        switch Int(byte) {
        case Int(CTERMINAL_RESIZED): .resized
        case Int(CTERMINAL_RESUMED): .resumed
        default: nil
        }
      }
  }

  private mutating func readInput() -> [Occurrence] {
    guard let bytes = Self.read(Self.input) else { return [.closed] }
    return decoder.decode(bytes).map { .input($0) }
  }

  /// `nil` at the end.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    let (bytes, isEnd) = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      let isEnd = count == 0 || count < 0 && errno != EINTR && errno != EAGAIN
      return (Array(buffer.prefix(max(0, count))), isEnd)
    }
    return isEnd ? nil : bytes
  }
}
