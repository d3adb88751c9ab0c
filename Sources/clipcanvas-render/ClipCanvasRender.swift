import BoardPicture

/// The program that paints a board as a picture; `clipcanvas render` runs it.
@main
enum ClipCanvasRender {
  static func main() async {
    await RenderProgram.run()
  }
}
