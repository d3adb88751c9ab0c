import BoardSupport
import CanvasModel
import Testing

@Suite("Commands of events")
struct EventCommandTests {
  @Test("A canvas whose name looks like an option is named after two hyphens")
  func optionLikeNames() throws {
    let (plain, odd) = (try #require(CanvasID("c1")), try #require(CanvasID("-x")))
    #expect(Event.tap(plain).command == "tap c1" && Event.tap(odd).command == "tap -- -x")
    #expect(Event.coverRetry(plain).command == "cover c1 --retry")
    #expect(Event.coverRetry(odd).command == "cover --retry -- -x")
    #expect(Event.moveCanvas(odd, to: 2).command == "canvas move -- -x 2")
    #expect(Event.addCanvas(odd, nil).command == "canvas add -- -x")
  }
}
