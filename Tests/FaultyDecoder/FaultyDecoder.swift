import Covers
import DecoderProgram
import DecoderWire
import Glibc
import SystemPackage

/// A decoder that misbehaves, by chance or on purpose.
///
/// Its `Settings` name what it does:
/// - `fault`: a mishap, see `Faults`. It happens once, when the file `mark` is made; every process that is started after that
///   becomes the decoder `real`. With `bytes` it happens with every clip of that size, and other clips are passed on.
/// - `attack`: something that a decoder under somebody else's control may try, see `Attacks`. It locks itself in as it is
///   told to, by the same code as the real one.
/// - `missing`: a part of the lock-in that it says it is without.
@main
enum FaultyDecoder {
  static func main() {
    let settings = Settings()
    // The parent must not see the socket close before the fault: Swift ends a value after its last use.
    _ = dup(STDIN_FILENO)
    var socket = WireSocket(takingOwnershipOf: .standardInput, acceptsDescriptors: true)
    do {
      if let attack = settings["attack"] {
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
  /// Facts of a cover that does not exist.
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
