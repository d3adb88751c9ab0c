import KeyValueObserving
import Testing

@Suite("Observing on the main actor", .timeLimit(.minutes(5)))
@MainActor
struct MainActorTests {
  /// A view, which only the main actor can use.
  @MainActor
  final class Label {
    var texts: [String] = []
  }

  private final class LabelContent: CellContent {
    static let displayKeys = [ObservedKey(\Numbers.first)]
    let label: Label

    init(_ label: Label) { self.label = label }

    func draw(_ drawing: Drawing<Numbers>) {
      MainActor.assumeIsolated { label.texts.append("\(drawing.model.first)") }
    }
  }

  private let model = Observed(Numbers(), ledger: Ledger())

  @Test("A handler on the main actor can use a view, and receives all notifications in order")
  func handler() async {
    let label = Label()
    let observations = [
      model.observeOnMainActor(\.first) { change in label.texts.append("\(change.new ?? -1)") },
      model.observeOnMainActor(\.name, options: [.initial, .new]) { change in label.texts.append(change.new ?? "none")
      },
    ]
    await atOnce(4) { [model] _ in
      for _ in 0..<100 { model.first += 1 }
    }
    model.name = "last"
    #expect(await eventually { label.texts.count == 402 })
    #expect(label.texts.filter { Int($0) != nil } == (2...401).map(String.init))
    #expect(label.texts.filter { Int($0) == nil } == ["none", "last"])
    for observation in observations { observation.cancel() }
    #expect(!model.isObserved)
  }

  @Test("Nothing is received on the main actor after cancelling there")
  func cancelled() async {
    let label = Label()
    let observation = model.observeOnMainActor(\.first) { _ in label.texts.append("told") }
    model.first = 2
    observation.cancel()
    for _ in 0..<10 { await Task.yield() }
    #expect(label.texts.isEmpty)
  }

  @Test("A content that assumes the main actor can use a view there")
  func content() async {
    let label = Label()
    let cell = Cell(LabelContent(label), delivery: .mainActor)
    await atOnce(1) { [model] _ in
      cell.bind(to: model)
      model.first = 2
    }
    #expect(await eventually { label.texts.last == "2" })
    cell.unbind()
  }
}
