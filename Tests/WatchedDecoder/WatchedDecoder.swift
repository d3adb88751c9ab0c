import CodecWatch
import WorkerProgram

/// The real decoder, which writes down what it opens; see `CodecWatch`.
@main
enum WatchedDecoder {
  static func main() {
    codecwatch_use()
    DecoderProgram.run()
  }
}
