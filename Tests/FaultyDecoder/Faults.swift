import Covers
import DecoderWire
import Glibc
import SystemPackage

/// The faults of a decoder.
struct Faults {
  private let fault: String
  private let mark: String
  private let real: String
  private let bytes: Int?
  private let missing: [String]

  /// Reads the fault from the settings; exits if they do not contain one.
  init(_ settings: Settings) {
    guard let fault = settings["fault"], let mark = settings["mark"], let real = settings["real"] else { exit(64) }
    (self.fault, self.mark, self.real) = (fault, mark, real)
    bytes = settings["bytes"].flatMap { Int($0) }
    missing = settings["missing"]?.split(separator: ",").map(String.init) ?? []
  }

  func run(socket: inout WireSocket) throws {
    if let bytes { return try passOn(hittingClipsOf: bytes, socket: &socket) }
    if access(mark, F_OK) == 0 {
      execv(real, CommandLine.unsafeArgv)
      exit(127)
    }
    try misbehave(socket: &socket)
  }

  private func misbehave(socket: inout WireSocket) throws {
    if fault == "otherWire" {
      var hello = ProgramHello(version: "9.9.9", libraries: [:], sandbox: sandbox)
      hello.wire += 1
      try socket.send(hello)
      return
    }
    if fault == "silentStart" { pause() }
    let hello = ProgramHello(version: ClipCanvasVersion.current, libraries: [:], sandbox: sandbox)
    if fault == "speaksUnasked" { try speakUnasked(after: hello) }
    try socket.send(hello)
    let (request, descriptors) = try socket.receive(DecoderRequest.self)
    close(open(mark, O_CREAT | O_WRONLY, 0o600))
    try misbehave(at: request, descriptors, socket: &socket)
  }

  /// Sends another line along with the greeting, and adds a byte to a file for each process that does so.
  private func speakUnasked(after hello: ProgramHello) throws -> Never {
    let starts = open(mark + ".starts", O_CREAT | O_WRONLY | O_APPEND, 0o600)
    write(starts, "x", 1)
    close(starts)
    // Sent with a single call, so that both lines have arrived when the parent reads the first.
    try FileDescriptor.standardInput.writeAll(try CanonicalJSON.line(hello) + Array("\n{}\n".utf8))
    while true { pause() }
  }

  private func misbehave(
    at request: DecoderRequest,
    _ descriptors: [FileDescriptor],
    socket: inout WireSocket
  ) throws {
    switch fault {
    case "killed":
      // In the middle of a clip: part of the cover has been written.
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
      try socket.send(DecoderReply(number: request.number, result: .cover(.madeUp, bytes: 0)))
    case "halfPicture":
      let half: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      _ = try descriptors[1].writeAll(half)
      try socket.send(DecoderReply(number: request.number, result: .cover(.madeUp, bytes: half.count)))
    case "hugePicture":
      writeHugePicture(to: descriptors[1])
      try socket.send(DecoderReply(number: request.number, result: .cover(.madeUp, bytes: 1 << 30)))
    default:
      exit(64)
    }
    while true { pause() }
  }

  /// Writes the start of a PNG of 16 × 16 pixels whose first `IDAT` claims 1 GiB, and its end, if the file's limit
  /// permits.
  private func writeHugePicture(to file: FileDescriptor) {
    let head: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0] + [0, 0, 0, 0] + [0x3F, 0xFF, 0xFF, 0xC3] + Array("IDAT".utf8)
    _ = write(file.rawValue, head, head.count)
    _ = pwrite(file.rawValue, PNGEnd.bytes, PNGEnd.bytes.count, (1 << 30) - PNGEnd.bytes.count)
  }

  /// Returns the same work with the name of another clip to store in the cover.
  private func namingAnotherClip(_ work: DecoderRequest.Work) -> DecoderRequest.Work {
    guard case .cover(let request, var texts) = work else { return work }
    texts = texts.map { $0.keyword == .uri ? CoverText(.uri, "file:///another.mp4") : $0 }
    return .cover(request, texts: texts)
  }

  /// The reported state of the sandbox, which does not exist: complete, or with parts missing.
  private var sandbox: SandboxState {
    SandboxState(holds: [], landlock: nil, missing: missing.map { .init(part: $0, reason: "made up") })
  }

  /// Forwards requests to the real decoder in another process, until a clip of the given size is received.
  private func passOn(hittingClipsOf bytes: Int, socket: inout WireSocket) throws {
    let (ours, theirs) = try WireSocket.makePair()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, theirs.rawValue, STDIN_FILENO)
    var arguments = [strdup(real)] + CommandLine.arguments.dropFirst().map { strdup($0) } + [nil]
    var pid: pid_t = 0
    guard posix_spawn(&pid, real, &actions, nil, &arguments, environ) == 0 else { exit(127) }
    try theirs.close()
    var decoder = WireSocket(takingOwnershipOf: ours, acceptsDescriptors: false)
    try socket.send(try decoder.receive(ProgramHello.self).message)
    while true {
      var (request, descriptors) = try socket.receive(DecoderRequest.self)
      var status = stat()
      if let clip = descriptors.first, fstat(clip.rawValue, &status) == 0, Int(status.st_size) == bytes {
        if fault == "otherClip" {
          request.work = namingAnotherClip(request.work)
        } else {
          try misbehave(at: request, descriptors, socket: &socket)
        }
      }
      try decoder.send(request, descriptors: descriptors)
      for descriptor in descriptors { try descriptor.close() }
      try socket.send(try decoder.receive(DecoderReply.self).message)
    }
  }

  private var failure: CoverFailure { CoverFailure(stage: .decode, cause: .damaged, message: "made up") }
}
