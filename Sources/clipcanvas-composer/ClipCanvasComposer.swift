import ComposerProgram

/// The program that writes videos; `clipcanvas` starts it.
@main
enum ClipCanvasComposer {
  static func main() {
    ComposerProgram.run()
  }
}
