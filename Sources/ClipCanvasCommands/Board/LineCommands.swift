internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
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
      Console.complain("clipcanvas: cannot read standard input: \((error as? Errno)?.words ?? "\(error)")")
      throw ExitStatus.couldNotGoOn
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
        Console.complain("clipcanvas: line \(number) of standard input is no event: \(error)")
        throw ExitCode(64)
      }
      try body(number, event)
    }
  }
}

/// `clipcanvas simulate`.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Read events from standard input, one JSON object a line, and answer each; nothing is written.",
    usage: "clipcanvas simulate [<options>]",
    discussion: """
      Example:
        echo '{"event":"tap","canvas":"c1"}' | clipcanvas simulate --canvases 2 --states
      """
  )

  @Option(help: ArgumentHelp("Start with a new board of so many canvases.", valueName: "N")) var canvases: Int?
  @OptionGroup var board: BoardOptions
  @Flag(help: "Tell the state of the board after each event.") var states = false

  func validate() throws {
    guard (0...Layout.mostRegions).contains(canvases ?? 0) else {
      throw ValidationError("'--canvases' takes 0 to \(Layout.mostRegions).")
    }
    guard canvases == nil || board.board == nil else {
      throw ValidationError("Name '--canvases' or '--board', not both.")
    }
  }

  func run() throws {
    var board = try canvases.map { Board(regions: Board.squareRegions($0)) } ?? board.read().board
    try StandardInput.forEachEvent { _, line in
      let outcome = board.apply(line.event, at: line.at ?? .now)
      Console.print(json: JSON(outcome, board: states ? board : nil).line)
    }
  }
}

/// `clipcanvas apply`.
struct ApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Read events from standard input, one JSON object a line, and do all of them or nothing.",
    usage: "clipcanvas apply [<options>]",
    discussion: """
      They are one transaction: one revision, and one step of undo. The answer is one JSON object. Of a refused \
      transaction it tells the line.
      """
  )

  @OptionGroup var options: ChangeOptions

  func run() throws {
    var events: [(line: Int, event: Event, at: Instant)] = []
    let now = Instant.now
    try StandardInput.forEachEvent { number, line in events.append((number, line.event, line.at ?? now)) }
    let lonely = events.first { $0.event == .undo || $0.event == .redo }
    if let lonely, events.count > 1 {
      Console.complain(
        "clipcanvas: line \(lonely.line) of standard input: \(lonely.event.name.rawValue) stands alone; send it by itself"
      )
      throw ExitCode(64)
    }
    let (outcome, index) = try options.transact { board -> (Outcome, Int?) in
      if let lonely { return (board.apply(lonely.event, at: lonely.at), 0) }
      return board.apply(events.map { ($0.event, $0.at) })
    }
    tell(outcome, line: index.map { events[$0].line })
    if case .refused = outcome { throw ExitStatus.refused }
  }

  private func tell(_ outcome: Outcome, line: Int?) {
    var answer = JSON(outcome)
    if case .refused = outcome, case .object(let object) = answer, let line {
      answer = .object(JSONObject(object.members.map { ($0.key, $0.value) } + [("line", JSON(line))]))
    }
    Console.print(json: answer.line)
  }
}
