internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Covers

/// `clipcanvas board wait`.
struct WaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until conditions on a board are met.",
    usage: "clipcanvas board wait [<options>] --for <condition> ...",
    discussion: """
      A condition is a key and a value. The keys of a board are session, focus and revision (also 'revision>=7'); those \
      of a canvas are isSelected, status, shows and cover. Several conditions must all be met at the same time.

      Examples:
        clipcanvas board wait --for c2.status=recording
        clipcanvas board wait --for session=idle --for c1.cover=ready --timeout 10

      Exit status: 0 when the conditions are met, 2 after the timeout.
      """
  )

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("A condition, such as c2.status=recording.", valueName: "condition"),
    transform: { try Condition($0) }
  )
  var conditions: [Condition]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait (default: indefinitely).", valueName: "seconds"),
    transform: OptionValue.seconds("--timeout", 0...1e9)
  )
  var timeout: Double?
  @OptionGroup var board: BoardOptions

  func run() throws {
    let file = board.file
    let deadline = timeout.map { ContinuousClock.now + .seconds($0) }
    let isSo = try BoardWaiting(file).untilTrue(by: deadline) { try holds() }
    guard !isSo else { return }
    let words = conditions.map(\.text).joined(separator: " and ")
    throw CommandError(
      .cannotContinue,
      "timeout: \(words) was not met within \(DecimalText.of(timeout ?? 0, places: 1)) s"
    )
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
      throw CommandError(error, of: file)
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

  private static func error(_ text: String) -> InvalidValue {
    InvalidValue(
      "'\(text)' is not a condition: use session=idle, focus=c1 (or none), revision=7, revision>=7, c2.status=recording, "
        + "c2.shows=cover, c2.cover=ready or c2.isSelected=true"
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
