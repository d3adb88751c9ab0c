internal import ArgumentParser
internal import CanvasModel

/// The options for the layout of canvases.
struct LayoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A grid of canvases: columns x rows, as 3x2.", valueName: "CxR"),
    transform: { try Self.grid($0) }
  )
  var grid: Layout?

  @Option(
    name: .customLong("layout"),
    help: ArgumentHelp("A layout by its name: \(Self.names).", valueName: "name"),
    completion: .list(Layout.named.map(\.description)),
    transform: { try Self.named($0) }
  )
  var named: Layout?

  /// The requested layout, if any.
  var layout: Layout? { grid ?? named }

  func validate() throws {
    guard grid == nil || named == nil else { throw ValidationError("Name '--grid' or '--layout', not both.") }
  }

  private static let names = Layout.named.map(\.description).joined(separator: ", ")

  private static func grid(_ text: String) throws -> Layout {
    guard let layout = Layout(text), case .grid = layout else {
      throw ValidationError("'\(text)' is no grid: write columns x rows, as 3x2, with at most \(Layout.mostRegions).")
    }
    return layout
  }

  private static func named(_ text: String) throws -> Layout {
    guard let layout = Layout(text), Layout.named.contains(layout) else {
      throw ValidationError("'\(text)' is no layout: write one of \(names), or a grid with '--grid'.")
    }
    return layout
  }
}
