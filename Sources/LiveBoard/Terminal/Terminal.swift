internal import CShortage
internal import CTerminal
internal import Glibc

/// The terminal of this process in full-screen mode.
///
/// The terminal is restored when this value is destroyed, when the program exits, and when a signal terminates or stops
/// it; after a stop, full-screen mode is entered again. After `SIGKILL`, a small process that waits for it does this.
package struct Terminal: ~Copyable {
  /// The size of a terminal.
  package struct Size: Hashable, Sendable {
    /// The number of columns; at least 1.
    package let columns: Int
    /// The number of rows; at least 1.
    package let rows: Int
    /// The size of a character; `nil` if the terminal does not report it.
    package let character: CharacterSize?

    /// Creates a terminal size.
    package init(columns: Int, rows: Int, character: CharacterSize? = nil) {
      (self.columns, self.rows, self.character) = (columns, rows, character)
    }
  }

  /// The result of a wait.
  package enum Event: Hashable, Sendable {
    case input(Input)
    /// The size may have changed.
    case resized
    /// The program is about to be stopped, or was stopped; the terminal belongs to other programs until ``resumed``.
    case suspended
    /// The program continues in the foreground; everything must be redrawn.
    case resumed
    /// The terminal was closed; no more input arrives.
    case closed
    /// Another descriptor is readable.
    case readable(Int32)
    case timeIsOver
  }

  /// Why full-screen mode is not available.
  package struct Unusable: Error, Hashable, Sendable {
    /// The system's error number.
    package let systemError: Int32
  }

  private let signals: Int32
  private var decoder = InputDecoder()
  private var isSuspended = false

  private static let input = STDIN_FILENO
  private static let output = STDOUT_FILENO

  /// Enables the alternate screen, mouse presses in SGR format and bracketed paste, and hides the cursor.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
  /// Reverses ``enter``, after ending any sequence that was cut off midway.
  private static let leave =
    "\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"
  /// How long the rest of an escape sequence may take; bytes that arrive later were typed.
  private static let escapeMilliseconds: Int32 = 50

  /// Whether standard input and standard output are terminals.
  package static var isThere: Bool { isatty(input) == 1 && isatty(output) == 1 }

  /// Enters full-screen mode; allowed once per process.
  ///
  /// - Throws: ``Unusable`` if standard output is not a terminal.
  package init() throws(Unusable) {
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

  /// The current size; 80 columns and 24 rows if it is unknown.
  package var size: Size {
    var size = cterminal_size()
    guard cterminal_get_size(Self.output, &size) == 0 else { return Size(columns: 80, rows: 24) }
    let (columns, rows) = (Int(size.columns), Int(size.rows))
    let (width, height) = (Int(size.pixel_width) / columns, Int(size.pixel_height) / rows)
    let character = width > 0 && height > 0 ? CharacterSize(width: width, height: height) : nil
    return Size(columns: columns, rows: rows, character: character)
  }

  /// Writes bytes, in a single system call where possible.
  ///
  /// If the terminal was closed, the bytes are lost, and ``wait(or:for:)`` reports ``Event/closed``. They are also lost
  /// in the background; on return, everything has to be redrawn anyway.
  package borrowing func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, cterminal_is_entered() != 0 {
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

  /// Waits for input, a resize or another occurrence, without using the CPU.
  ///
  /// After ``Event/suspended`` it waits for ``Event/resumed`` and nothing else.
  ///
  /// - Parameters:
  ///   - descriptors: Other descriptors to wait for.
  ///   - timeout: How long to wait; `nil` to wait indefinitely.
  /// - Returns: One or more events; never an empty array.
  package mutating func wait(or descriptors: [Int32], for timeout: Duration?) -> [Event] {
    var events: [Event] = []
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while events.isEmpty {
      let rest = deadline.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)) }
      let milliseconds = rest.map { Int32(min($0, 1e9).rounded(.up)) } ?? -1
      guard !isSuspended else {
        events = waitForSignals()
        continue
      }
      let escape = decoder.isWaiting && !(0..<Self.escapeMilliseconds).contains(milliseconds)
      var inputs = ([Self.input, signals] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&inputs, nfds_t(inputs.count), escape ? Self.escapeMilliseconds : milliseconds)
      if ready == 0 {
        events = decoder.finish().map { .input($0) } + (escape ? [] : [.timeIsOver])
      } else if ready > 0 {
        if inputs[1].revents != 0 { events += readSignals() }
        // In the background, reading would stop the program.
        guard !isSuspended else { break }
        if inputs[0].revents != 0 { events += readInput() }
        events += inputs.dropFirst(2).filter { $0.revents != 0 }.map { .readable($0.fd) }
      }
    }
    return events
  }

  private mutating func waitForSignals() -> [Event] {
    var input = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, -1) > 0 ? readSignals() : []
  }

  /// Returns the events of signals, in order; of several equal ones in a row, only one.
  private mutating func readSignals() -> [Event] {
    var events: [Event] = []
    for byte in Self.read(signals) ?? [] {
      let event: Event
      switch Int(byte) {
      case Int(CTERMINAL_RESIZED): event = .resized
      case Int(CTERMINAL_SUSPENDED): event = .suspended
      case Int(CTERMINAL_RESUMED): event = .resumed
      default: continue
      }
      if event != events.last { events.append(event) }
    }
    if let last = events.last(where: { $0 != .resized }) { isSuspended = last == .suspended }
    return events
  }

  private mutating func readInput() -> [Event] {
    guard let bytes = Self.read(Self.input) else { return [.closed] }
    return decoder.decode(bytes).map { .input($0) }
  }

  /// Returns the bytes that can be read; `nil` at the end of the input.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    let (bytes, isEnd) = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      let isEnd = count == 0 || count < 0 && errno != EINTR && errno != EAGAIN
      return (Array(buffer.prefix(max(0, count))), isEnd)
    }
    return isEnd ? nil : bytes
  }
}
