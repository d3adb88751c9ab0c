import LiveBoard

/// The board full screen in the terminal; `clipcanvas live` runs it.
@main
enum ClipCanvasLive {
  static func main() async {
    await LiveProgram.run()
  }
}
