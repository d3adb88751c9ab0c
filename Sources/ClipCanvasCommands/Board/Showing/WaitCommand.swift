internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers

/// `clipcanvas board wait`.
struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until conditions on a board are met.",
    usage: "clipcanvas board wait [<options>] --for <condition> ...",
    discussion: """
      A condition is a key, '=' or '!=', and a value. The keys of a board are session, focus and revision (also \
      'revision>=7'); those of a canvas are isSelected, status, shows and cover. Several conditions, separated by commas \
      or each with --for, must all be met at the same time. A condition on a canvas that does not exist is not met, nor \
      is any while the board itself does not exist: the command waits until it is created.

      Values of session: \(OptionValue.list(SessionName.self)). Of status: \(OptionValue.list(Status.self)). Of shows: \
      \(OptionValue.list(Display.self)). Of cover: \(OptionValue.list(CoverName.self)). Of isSelected: true, false.

      Examples:
        clipcanvas board wait --for c2.status=recording
        clipcanvas board wait --for session=idle,c1.cover!=pending --timeout 10

      Exit status: 0 when the conditions are met, 2 after the timeout.
      """
  )

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("A condition, such as c2.status=recording, or several with commas.", valueName: "condition"),
    transform: { try Conditions($0) }
  )
  var lists: [Conditions]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait, such as 10, 90s or 10m (default: indefinitely).", valueName: "duration"),
    transform: OptionValue.duration("--timeout", 0...1e9)
  )
  var timeout: Double?
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object when the conditions are met, or after the timeout.") var json = false

  private var conditions: [Condition] { lists.flatMap(\.conditions) }

  func run() throws {
    let file = board.file
    let deadline = timeout.map { ContinuousClock.now + .seconds($0) }
    let conditions = conditions
    var revision: Int?
    var isAnnounced = false
    let waiting = BoardWaiting(file)
    let isSo = try waiting.untilTrue(by: deadline) {
      let board = try present()
      if board == nil, !isAnnounced {
        waiting.reportAbsence()
        isAnnounced = true
      }
      revision = board?.revision
      return board.map { board in conditions.allSatisfy { $0.holds(for: board) } } ?? false
    }
    if json {
      let record = JSON.object(["outcome": .string(isSo ? "met" : "timeout"), "revision": revision.map { JSON($0) }])
      Console.print(json: record.line)
    }
    guard !isSo else { return }
    let words = conditions.map(\.text).joined(separator: " and ")
    throw CommandError(
      .cannotContinue,
      "timed out after \(DecimalText.of(timeout ?? 0, places: 0...3)) s: \(words) was not met"
    )
  }

  /// Returns the board, or `nil` if it does not exist, because it may still be created.
  private func present() throws -> Board? {
    let file = board.file
    do {
      return try file.read().board
    } catch .unreadable(.missing) {
      return nil
    } catch {
      throw CommandError(error, of: file)
    }
  }
}

/// Conditions that must all be met.
struct Conditions {
  let conditions: [Condition]

  init(_ text: String) throws {
    conditions = try text.split(separator: ",", omittingEmptySubsequences: false).map { try Condition(String($0)) }
  }
}

/// A condition on a board.
struct Condition {
  /// The condition as typed.
  let text: String
  private let canvas: CanvasID?
  private let key: String
  private let value: String
  private let isNegated: Bool

  init(_ text: String) throws {
    self.text = text
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else {
      throw InvalidValue(
        "'\(text)' is not a condition: use a key, '=' or '!=', and a value, such as session=idle or c2.status=recording"
      )
    }
    isNegated = sides[0].hasSuffix("!")
    let names = sides[0].dropLast(isNegated ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    value = String(sides[1])
    key = String(names.last ?? "")
    canvas = names.count > 1 ? CanvasID(names.dropLast().joined(separator: ".")) : nil
    guard names.count == 1 || canvas != nil else {
      throw InvalidValue("'\(text)' names no canvas: write it before the key, such as c2.status=recording")
    }
    try names.count > 1 ? checkForCanvas() : checkForBoard()
  }

  private func checkForBoard() throws {
    switch key {
    case "session": try check(SessionName.self, "a session")
    case "focus":
      if value.isEmpty { throw InvalidValue("the value of focus is empty: use a canvas, such as c1, or none") }
    case "revision", "revision>": _ = try OptionValue.value(Int(value), of: value, "a revision", "a number, such as 7")
    case "isSelected", "status", "shows", "cover":
      throw InvalidValue("'\(key)' is a key of a canvas: write the canvas before it, such as c2.\(text)")
    default: throw InvalidValue("'\(key)' is not a key of a board: use session, focus or revision")
    }
  }

  private func checkForCanvas() throws {
    switch key {
    case "isSelected":
      _ = try OptionValue.value(Bool(value), of: value, "a value of isSelected", "true or false")
    case "status": try check(Status.self, "a status")
    case "shows": try check(Display.self, "a value of shows")
    case "cover": try check(CoverName.self, "a value of cover")
    default: throw InvalidValue("'\(key)' is not a key of a canvas: use isSelected, status, shows or cover")
    }
  }

  private func check<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type, _ noun: String) throws {
    _ = try OptionValue.value(Word(rawValue: value), of: value, noun, OptionValue.choice(Word.self))
  }

  /// Returns whether a board satisfies the condition; a condition on a missing canvas is false.
  func holds(for board: Board) -> Bool {
    if let canvas, board[canvas] == nil { return false }
    return isEqual(on: board) != isNegated
  }

  private func isEqual(on board: Board) -> Bool {
    guard let id = canvas else {
      switch key {
      case "session": return board.session.name.rawValue == value
      case "focus": return (board.session.focus?.description ?? "none") == value
      case "revision": return Int(value) == board.revision
      default: return Int(value).map { board.revision >= $0 } ?? false
      }
    }
    guard let canvas = board[id] else { return false }
    switch key {
    case "isSelected": return (board.session.focus == id) == (value == "true")
    case "status": return board.session.status(of: id).rawValue == value
    case "shows": return board.shows(canvas).rawValue == value
    default: return canvas.cover.name.rawValue == value
    }
  }
}
