import BoardServer
import BoardSupport
import CShortage

/// The program that serves a board to browsers.
@main
enum ClipCanvasServe {
  /// Starts on the main thread, so that no other thread exists before a lack of one is reported.
  @MainActor static func main() async {
    cshortage_begin("clipcanvas")
    cshortage_begin_threads()
    cshortage_use_one_arena()
    do throws(CommandError) {
      try await ServerProgram.run(try ServeArguments.ofProcess())
    } catch {
      error.end()
    }
  }
}
