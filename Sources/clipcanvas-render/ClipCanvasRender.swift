import BoardText

/// The board as a picture; `clipcanvas render` runs it.
@main
enum ClipCanvasRender {
  static func main() async {
    do throws(RenderFailure) {
      try await RenderRun(RenderArguments(RawArguments.ofProcess())).run()
    } catch {
      error.end()
    }
  }
}
