import Covers
import DecoderWire
import Glibc
import SystemPackage
import WorkerProgram

/// A decoder or composer that fails or attacks its parent.
///
/// Its `Settings` specify the behaviour:
/// - `fault`: a fault from `Faults`. It occurs once and creates the file `mark`; every process started afterwards
///   becomes the decoder `real`. With `bytes`, it occurs for every clip of that size, and other clips are forwarded.
/// - `attack`: an attack by a compromised decoder from `Attacks`. The process sandboxes itself as requested, with the
///   code of the real decoder.
/// - `composer`: a fault from `ComposerFaults`, for `CLIPCANVAS_COMPOSER`; `video` is a file that it may write.
/// - `composerAttack`: an attack by a compromised composer from `ComposerAttacks`, for `CLIPCANVAS_COMPOSER`. The
///   process sandboxes itself as requested, with the code of the real composer.
/// - `missing`: the parts of the sandbox reported as missing, separated by commas.
@main
enum FaultyDecoder {
  static func main() {
    let settings = Settings()
    // The parent must not see the socket closed before the fault occurs; Swift destroys a value after its last use.
    _ = dup(STDIN_FILENO)
    var socket = WireSocket(takingOwnershipOf: .standardInput, acceptsDescriptors: true)
    do {
      if let fault = settings["composer"] {
        try ComposerFaults(fault: fault, video: settings["video"]).run(socket: &socket)
      } else if let attack = settings["composerAttack"] {
        try ComposerAttacks(attack: attack).run(socket: &socket)
      } else if let attack = settings["attack"] {
        try Attacks.run(attack, socket: &socket)
      } else {
        try Faults(settings).run(socket: &socket)
      }
    } catch {
      exit(1)
    }
    exit(0)
  }
}

extension CoverFacts {
  /// The facts of a cover that does not exist.
  static let madeUp = CoverFacts(
    size: PixelSize(width: 16, height: 16),
    alpha: false,
    stored: PixelSize(width: 16, height: 16),
    orientation: .upright,
    sampleAspectRatio: nil,
    container: "made up",
    codec: "made up",
    pixelFormat: "rgb24",
    milliseconds: .init(open: 0, decode: 0, convert: 0, encode: 0)
  )
}
