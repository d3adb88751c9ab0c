import BoardText
import CShortage
import Files

/// The program that paints a board as a picture; `clipcanvas render` runs it.
@main
enum ClipCanvasRender {
  static func main() async {
    cshortage_begin("clipcanvas")
    cshortage_begin_threads()
    do throws(RenderFailure) {
      try await RenderRun(RenderArguments(RawArguments.ofProcess())).run()
    } catch {
      error.end()
    }
  }
}
