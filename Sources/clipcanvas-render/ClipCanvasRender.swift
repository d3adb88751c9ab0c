import BoardPicture

/// The board as a picture; `clipcanvas render` runs it.
@main
enum ClipCanvasRender {
  static func main() async {
    await RenderProgram.run()
  }
}
