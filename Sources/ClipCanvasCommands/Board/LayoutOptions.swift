internal import ArgumentParser
internal import CanvasModel

/// The options for the layout of canvases.
struct LayoutOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A grid of canvases, columns x rows, such as 3x2.", valueName: "CxR"),
    transform: { try Self.grid($0) }
  )
  var grid: Layout?

  @Option(
    name: .customLong("layout"),
    help: ArgumentHelp("A named layout: \(Self.names).", valueName: "name"),
    completion: .list(Layout.named.map(\.description)),
    transform: { try Self.named($0) }
  )
  var named: Layout?

  /// The requested layout, if any.
  var layout: Layout? { grid ?? named }

  func validate() throws {
    guard grid == nil || named == nil else { throw ValidationError("use '--grid' or '--layout', not both") }
  }

  private static let names = Layout.named.map(\.description).joined(separator: ", ")

  private static func grid(_ text: String) throws -> Layout {
    guard let layout = Layout(text), case .grid = layout else {
      throw InvalidValue(
        "'\(text)' is not a grid: use columns x rows, such as 3x2, with at most \(Layout.maximumRegions) canvases"
      )
    }
    return layout
  }

  private static func named(_ text: String) throws -> Layout {
    guard let layout = Layout(text), Layout.named.contains(layout) else {
      throw InvalidValue("'\(text)' is not a layout: use \(names), or '--grid'")
    }
    return layout
  }
}
