import BoardSupport
import BoardVideo
import CShortage
import LiveBoard
import PictureDrawing

/// The program that draws: a board, full screen in the terminal (`board live`), as a picture (`board render`) or as a
/// video (`board export`), and the contact sheets of clips (`sheet`).
@main
enum ClipCanvasView {
  /// Starts on the main thread, so that no other thread exists before a lack of one is reported.
  @MainActor static func main() async {
    cshortage_begin("clipcanvas")
    cshortage_begin_threads()
    do throws(CommandError) {
      switch try ViewArguments.ofProcess() {
      case .live(let arguments): try await LiveProgram.run(arguments)
      case .render(let arguments): try await RenderRun(arguments).run()
      case .export(let arguments): try await ExportRun(arguments).run()
      case .sheet(let sheet): try SheetRun(sheet).run()
      }
    } catch {
      error.end()
    }
  }
}
