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
    #expect(Event.useTake(odd, generation: 2).command == "use -- -x 2")
  }

  @Test("The commands for takes and parts of clips can be typed")
  func takes() throws {
    let c1 = try #require(CanvasID("c1"))
    #expect(Event.useTake(c1, generation: 2).command == "use c1 2")
    #expect(Event.removeTake(c1, generation: 2).command == "forget c1 2")
    #expect(Event.trimClip(c1, Trim(from: 0.8, to: 12)).command == "clip trim --from 0.8 --to 12.0 c1")
    #expect(Event.trimClip(c1, Trim(from: 0, to: 1.5)).command == "clip trim --to 1.5 c1")
    #expect(Event.trimClip(c1, nil).command == "clip trim --clear c1")
  }
}
