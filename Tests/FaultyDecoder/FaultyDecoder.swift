import Covers
import DecoderWire
import Glibc
import SystemPackage

/// A decoder that misbehaves once and then becomes the real one.
///
/// `FAULTY_DECODER_FAULT` names the fault, `FAULTY_DECODER_MARK` a file that is made when it happens and
/// `FAULTY_DECODER_REAL` the real decoder, which takes over in every process started after that. With
/// `FAULTY_DECODER_BYTES` the fault happens with every clip of that size, and other clips are passed on to the real one. The
/// arguments are handed on too.
@main
enum FaultyDecoder {
  static func main() {
    guard let fault = text("FAULTY_DECODER_FAULT"), let mark = text("FAULTY_DECODER_MARK"),
      let real = text("FAULTY_DECODER_REAL")
    else { exit(64) }
    let bytes = text("FAULTY_DECODER_BYTES").flatMap { Int($0) }
    if bytes == nil, access(mark, F_OK) == 0 {
      execv(real, CommandLine.unsafeArgv)
      exit(127)
    }
    // The parent must not see the socket close before the fault: Swift ends a value after its last use.
    _ = dup(STDIN_FILENO)
    var socket = WireSocket(takingOwnershipOf: .standardInput)
    do {
      if let bytes {
        try passOn(to: real, hittingClipsOf: bytes, with: fault, socket: &socket)
      } else {
        try misbehave(fault, socket: &socket, mark: mark)
      }
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
    try misbehave(fault, at: request, descriptors, socket: &socket)
  }

  private static func misbehave(
    _ fault: String,
    at request: DecoderRequest,
    _ descriptors: [FileDescriptor],
    socket: inout WireSocket
  ) throws {
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
    case "hugePicture":
      try writeHugePicture(to: descriptors[1])
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

  /// Serves by another process, the real decoder, until a clip of the size comes.
  private static func passOn(
    to real: String,
    hittingClipsOf bytes: Int,
    with fault: String,
    socket: inout WireSocket
  ) throws {
    let (ours, theirs) = try WireSocket.makePair()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, theirs.rawValue, STDIN_FILENO)
    var arguments = [strdup(real)] + CommandLine.arguments.dropFirst().map { strdup($0) } + [nil]
    var pid: pid_t = 0
    guard posix_spawn(&pid, real, &actions, nil, &arguments, environ) == 0 else { exit(127) }
    try theirs.close()
    var decoder = WireSocket(takingOwnershipOf: ours)
    try socket.send(try decoder.receive(DecoderHello.self).message)
    while true {
      var (request, descriptors) = try socket.receive(DecoderRequest.self)
      var status = stat()
      if let clip = descriptors.first, fstat(clip.rawValue, &status) == 0, Int(status.st_size) == bytes {
        if fault == "otherClip" {
          request.work = namingAnotherClip(request.work)
        } else {
          try misbehave(fault, at: request, descriptors, socket: &socket)
        }
      }
      try decoder.send(request, descriptors: descriptors)
      for descriptor in descriptors { try descriptor.close() }
      try socket.send(try decoder.receive(DecoderReply.self).message)
    }
  }

  /// Writes a file of 1 GiB that begins and ends as a PNG of 16 × 16 pixels does.
  private static func writeHugePicture(to file: FileDescriptor) throws {
    let head: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0] + [0, 0, 0, 0] + [0x3F, 0xFF, 0xFF, 0xC3] + Array("IDAT".utf8)
    _ = try file.writeAll(head)
    _ = try file.writeAll(toAbsoluteOffset: (1 << 30) - Int64(PNGEnd.bytes.count), PNGEnd.bytes)
  }

  /// The same work, with another clip's name to be written into the cover.
  private static func namingAnotherClip(_ work: DecoderRequest.Work) -> DecoderRequest.Work {
    guard case .cover(let request, var texts) = work else { return work }
    texts = texts.map { $0.keyword == .uri ? PNGText(.uri, "file:///another.mp4") : $0 }
    return .cover(request, texts: texts)
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
