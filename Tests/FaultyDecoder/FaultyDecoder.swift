import Covers
import DecoderWire
import Glibc
import SystemPackage

/// A decoder that misbehaves once and then becomes the real one.
///
/// `FAULTY_DECODER_FAULT` names the fault, `FAULTY_DECODER_MARK` a file that is made when it happens and
/// `FAULTY_DECODER_REAL` the real decoder, which takes over in every process started after that. The arguments are
/// handed on to it.
@main
enum FaultyDecoder {
  static func main() {
    guard let fault = text("FAULTY_DECODER_FAULT"), let mark = text("FAULTY_DECODER_MARK"),
      let real = text("FAULTY_DECODER_REAL")
    else { exit(64) }
    if access(mark, F_OK) == 0 {
      execv(real, CommandLine.unsafeArgv)
      exit(127)
    }
    // The parent must not see the socket close before the fault: Swift ends a value after its last use.
    _ = dup(STDIN_FILENO)
    var socket = WireSocket(takingOwnershipOf: .standardInput)
    do {
      try misbehave(fault, socket: &socket, mark: mark)
    } catch {
      exit(1)
    }
    exit(0)
  }

  private static func misbehave(_ fault: String, socket: inout WireSocket, mark: String) throws {
    if fault == "otherWire" {
      var hello = DecoderHello(version: "9.9.9", libraries: [:], sandbox: sandbox)
      hello.wire += 1
      try socket.send(hello)
      return
    }
    if fault == "silentStart" { pause() }
    try socket.send(DecoderHello(version: ClipCanvasVersion.current, libraries: [:], sandbox: sandbox))
    let (request, descriptors) = try socket.receive(DecoderRequest.self)
    close(open(mark, O_CREAT | O_WRONLY, 0o600))
    switch fault {
    case "killed":
      // In mid-clip: a part of the cover is written.
      if descriptors.count > 1 { _ = try descriptors[1].writeAll([0x89, 0x50, 0x4E]) }
      kill(getpid(), SIGKILL)
    case "exits":
      exit(3)
    case "silent":
      while true { pause() }
    case "garbage":
      try socket.send("this is no reply")
    case "wrongNumber":
      try socket.send(DecoderReply(number: request.number + 1, result: .failure(failure)))
    case "noPicture":
      try socket.send(DecoderReply(number: request.number, result: .cover(facts)))
    case "halfPicture":
      _ = try descriptors[1].writeAll([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      try socket.send(DecoderReply(number: request.number, result: .cover(facts)))
    default:
      exit(64)
    }
    while true { pause() }
  }

  /// What it says of its lock-in, which it has none of: that it is complete, or is without the part that
  /// `FAULTY_DECODER_MISSING` names.
  private static var sandbox: SandboxState {
    let missing = text("FAULTY_DECODER_MISSING").map { SandboxState.Missing(part: $0, reason: "made up") }
    return SandboxState(holds: [], landlock: nil, missing: missing.map { [$0] } ?? [])
  }

  private static let failure = CoverFailure(stage: .decode, cause: .damaged, message: "made up")

  private static let facts = CoverFacts(
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

  private static func text(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }
  }
}
