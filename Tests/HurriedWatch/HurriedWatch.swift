import ClipCanvasCommands
import ClipService

/// `clipcanvas` whose watches have a tenth of the usual intervals, so that tests need not wait for long ones.
@main
enum HurriedWatch {
  static func main() {
    ClipCanvas.runProgram(watchTimes: WatchTimes() / 10)
  }
}
