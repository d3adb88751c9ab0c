import ClipCanvasCommands

/// The entry point of `clipcanvas`.
@main
enum ClipCanvasProgram {
  static func main() {
    ClipCanvas.runProgram()
  }
}
