internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel

/// `clipcanvas wait`.
struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until a board is in a state.",
    usage: "clipcanvas wait [<options>] --for <condition> ...",
    discussion: """
      A condition is a key and its value: session, focus, revision (also as 'revision>=7'), or of a canvas isSelected, \
      status, shows or cover. Where several are named all must hold.

      Examples:
        clipcanvas wait --for c2.status=recording
        clipcanvas wait --for session=idle --for c1.cover=ready --timeout 10

      Exit status: 0 when it is so, 2 when the time is over.
      """
  )

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("What must hold, as c2.status=recording.", valueName: "condition"),
    transform: { try Condition($0) }
  )
  var conditions: [Condition]

  @Option(help: ArgumentHelp("How long to wait; for ever, unless told.", valueName: "seconds")) var timeout: Double?
  @OptionGroup var board: BoardOptions

  func validate() throws {
    guard timeout.map({ (0...1e9).contains($0) }) ?? true else {
      throw ValidationError("'--timeout' takes 0 to 1000000000 seconds.")
    }
  }

  func run() throws {
    let file = board.file
    let deadline = timeout.map { ContinuousClock.now + .seconds($0) }
    let isSo = try BoardWaiting(file).untilTrue(by: deadline) { try holds() }
    guard !isSo else { return }
    let words = conditions.map(\.text).joined(separator: " and ")
    Console.complain("clipcanvas: \(words) was not so within \(DecimalText.of(timeout ?? 0, places: 1)) s")
    throw ExitStatus.couldNotGoOn
  }

  private func holds() throws -> Bool {
    let file = board.file
    do {
      let board = try file.read().board
      return conditions.allSatisfy { $0.holds(for: board) }
    } catch .unreadable(.missing) {
      // The board may still be created.
      return false
    } catch {
      throw error.told(of: file)
    }
  }
}

/// A condition on a board.
struct Condition {
  /// The condition as typed.
  let text: String
  private let canvas: CanvasID?
  private let key: String
  private let value: String

  init(_ text: String) throws {
    self.text = text
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { throw Self.error(text) }
    let names = sides[0].split(separator: ".", omittingEmptySubsequences: false)
    value = String(sides[1])
    key = String(names.last ?? "")
    canvas = names.count > 1 ? CanvasID(names.dropLast().joined(separator: ".")) : nil
    guard names.count > 1 ? canvas != nil && isOfCanvas : isOfBoard else { throw Self.error(text) }
  }

  private static func error(_ text: String) -> ValidationError {
    ValidationError(
      "'\(text)' is no condition: write session=idle, focus=c1 (or none), revision=7, revision>=7, c2.status=recording, "
        + "c2.shows=cover, c2.cover=ready or c2.isSelected=true."
    )
  }

  private var isOfBoard: Bool {
    switch key {
    case "session": SessionName(rawValue: value) != nil
    case "focus": !value.isEmpty
    case "revision", "revision>": Int(value) != nil
    default: false
    }
  }

  private var isOfCanvas: Bool {
    switch key {
    case "isSelected": ["true", "false"].contains(value)
    case "status": Status(rawValue: value) != nil
    case "shows": Display(rawValue: value) != nil
    case "cover": CoverName(rawValue: value) != nil
    default: false
    }
  }

  /// Returns whether a board satisfies the condition; a condition on a missing canvas is false.
  func holds(for board: Board) -> Bool {
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
