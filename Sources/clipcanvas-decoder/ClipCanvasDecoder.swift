import WorkerProgram

/// The only program that decodes; `clipcanvas` starts it.
@main
enum ClipCanvasDecoder {
  static func main() {
    DecoderProgram.run()
  }
}
