internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// Reading of lines from standard input.
enum StandardInput {
  /// Calls a closure for each line that is not blank, as soon as it is read.
  ///
  /// - Parameter body: A closure that receives the 1-based line number and the bytes of the line.
  static func forEachLine(_ body: (Int, [UInt8]) throws -> Void) throws {
    var number = 0
    var rest: [UInt8] = []
    while true {
      let part = try read()
      rest += part
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = part.isEmpty ? [] : Array(lines.removeLast())
      for line in lines {
        number += 1
        if !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { try body(number, Array(line)) }
      }
      guard !part.isEmpty else { return }
    }
  }

  private static func read() throws -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = try FileDescriptor.standardInput.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      throw CommandError(.cannotContinue, "cannot read standard input: \((error as? Errno)?.message ?? "\(error)")")
    }
  }

  /// Calls a closure for each event, as soon as it is read.
  ///
  /// - Throws: An exit status if a line is not a valid event.
  static func forEachEvent(_ body: (Int, EventLine) throws -> Void) throws {
    try forEachLine { number, line in
      let event: EventLine
      do {
        event = try EventLine(parsing: line)
      } catch {
        throw CommandError(.usage, "line \(number) of standard input is not an event: \(error)")
      }
      try body(number, event)
    }
  }
}

/// `clipcanvas board simulate`.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate events from standard input, one JSON object per line; the board is not changed.",
    usage: "clipcanvas board simulate [<options>]",
    discussion: """
      Example:
        echo '{"event":"tap","canvas":"c1"}' | clipcanvas board simulate --canvases 2
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Start with a new board of this many canvases.", valueName: "N"),
    transform: OptionValue.whole("--canvases", 0...Layout.maximumRegions)
  )
  var canvases: Int?
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print the state of the board after each event.") var states = false
  @Flag(help: "Print the outcomes as JSON; they are always printed so.") var json = false

  func validate() throws {
    guard canvases == nil || board.board == nil else {
      throw ValidationError("use '--canvases' or '--board', not both")
    }
  }

  func run() throws {
    var board = try canvases.map { Board(regions: Region.squareGrid(of: $0)) } ?? board.readToChange()
    try StandardInput.forEachEvent { _, line in
      let outcome = board.apply(line.event, at: line.at ?? .now)
      Console.print(json: JSON(outcome, board: states ? board : nil).line)
    }
  }
}

/// `clipcanvas board apply`.
struct ApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Read events from standard input, one JSON object per line, and apply all of them or none.",
    usage: "clipcanvas board apply [<options>]",
    discussion: """
      The events are one transaction: one revision, and one step for undo. The outcome is one JSON object. If the \
      transaction is refused, it contains the number of the refused line. clipcanvas-json(5) describes the events.

      Example:
        echo '{"event":"tap","canvas":"c1"}' | clipcanvas board apply
      """
  )

  @OptionGroup var options: ChangeOptions

  func run() throws {
    var events: [(line: Int, event: Event, at: Instant)] = []
    let now = Instant.now
    try StandardInput.forEachEvent { number, line in events.append((number, line.event, line.at ?? now)) }
    let lonely = events.first { $0.event == .undo || $0.event == .redo }
    if let lonely, events.count > 1 {
      throw CommandError(
        .usage,
        "line \(lonely.line) of standard input: \(lonely.event.name.rawValue) cannot be combined with other events; "
          + "send it alone"
      )
    }
    let (outcome, index) = try options.transact { board -> (Outcome, Int?) in
      if let lonely { return (board.apply(lonely.event, at: lonely.at), 0) }
      return board.apply(events.map { ($0.event, $0.at) })
    }
    report(outcome, line: index.map { events[$0].line })
    if case .refused = outcome { throw CommandError(.refused) }
  }

  private func report(_ outcome: Outcome, line: Int?) {
    var answer = JSON(outcome)
    if case .refused = outcome, case .object(let object) = answer, let line {
      answer = .object(JSONObject(object.members.map { ($0.key, $0.value) } + [("line", JSON(line))]))
    }
    Console.print(json: answer.line)
  }
}
