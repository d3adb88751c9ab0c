import CLinux
import Covers
import DecoderWire
import Glibc
import SystemPackage
import TestSupport
import WorkerProgram

/// The attacks of a compromised decoder, which is sandboxed like the real one and makes real covers.
enum Attacks {
  /// Serves requests until the parent closes the socket.
  static func run(_ attack: String, socket: inout WireSocket) throws {
    let words = CommandLine.arguments
    let mode = words.firstIndex(of: "--sandbox").flatMap { SandboxMode(rawValue: words[$0 + 1]) } ?? .auto
    let sandbox = ProcessSandbox.apply(ProcessSandbox.parts(of: mode), for: .decoder, endsWithParent: true)
    try socket.send(ProgramHello(version: ClipCanvasVersion.current, libraries: [:], sandbox: sandbox))
    let handler = RequestHandler()
    while true {
      let (request, descriptors) = try socket.receive(DecoderRequest.self)
      let honest = handler.perform(request, descriptors: descriptors)
      try answer(request, descriptors, honest: honest, attack: attack, socket: &socket)
    }
  }

  private static func answer(
    _ request: DecoderRequest,
    _ descriptors: [FileDescriptor],
    honest: DecoderReply.Result,
    attack: String,
    socket: inout WireSocket
  ) throws {
    let output = descriptors.last ?? .standardOutput
    func send(_ result: DecoderReply.Result, times: Int = 1) throws {
      for _ in 0..<times { try socket.send(DecoderReply(number: request.number, result: result)) }
    }
    switch attack {
    case "lateWrites":
      try send(honest)
      overwrite(output)
    case "keepsMapping":
      let start = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, output.rawValue, 0)
      try send(honest)
      if start != MAP_FAILED { start?.storeBytes(of: 0, as: UInt8.self) }
      return
    case "sealsItself":
      // `F_ADD_SEALS` and `F_SEAL_SEAL`, macros that Swift does not import here.
      _ = fcntl(output.rawValue, 1033, 1)
      try send(honest)
    case "sendsDescriptors":
      sendDescriptors()
      try send(honest)
    case "threads":
      try send(try warning(honest, "started \(startThreads(most: 200)) threads", in: output))
    case "oversizes":
      var bytes = [UInt8](repeating: 0xA5, count: 1 << 20)
      var written = 0
      while written < 64 << 20, case let count = write(output.rawValue, &bytes, bytes.count), count > 0 {
        written += count
      }
      try send(.cover(.madeUp, bytes: 1 << 30))
    case "forgesSize": try send(forged(honest) { $0.width += 1 })
    case "forgesLength": try send(.cover(.madeUp, bytes: -1))
    case "forgesDuration": try send(forged(honest) { $0.durationSeconds = 1e300 })
    case "forgesWords": try send(forged(honest) { $0.warnings = [String(repeating: "x", count: 200_000)] })
    case "forgesFacts": try send(forged(honest) { $0.rotation = 270 })
    case "forgesEscapes": try send(try warning(honest, escapes, in: output))
    case "failsWithEscapes":
      try send(.failure(CoverFailure(stage: .decode, cause: .damaged, message: escapes, advice: escapes)))
    case "forgesTiles": try send(forgedTiles(honest) { _, bytes in bytes -= 3 })
    case "forgesTileSize": try send(forgedTiles(honest) { facts, _ in facts.tiles?.width += 1 })
    case "forgesTileCount": try send(forgedTiles(honest) { facts, _ in facts.tiles?.times.append(1) })
    case "forgesFrames": try send(forged(honest) { $0.frames?.count += 1 })
    case "forgesTime": try send(forged(honest) { $0.frames?.milliseconds += 10 })
    case "forgesQuality": try send(forged(honest) { $0.frames?.quality += 31 })
    case "answersTwice": try send(honest, times: 2)
    case "dripsBytes":
      for _ in 0..<1000 {
        _ = write(STDIN_FILENO, "x", 1)
        usleep(20_000)
      }
    case "neverEnds":
      // Ignore everything that could end the process.
      signal(SIGALRM, SIG_IGN)
      signal(SIGXCPU, SIG_IGN)
      alarm(0)
      while true {}
    case "outlivesParent": ComposerAttacks.sleepOn()
    default: exit(64)
    }
    for descriptor in descriptors { try descriptor.close() }
  }

  /// Text that would affect a terminal: an escape sequence, a clipboard sequence, a newline, a character that
  /// changes the text direction, and an 8-bit control character.
  private static let escapes = "a\u{1B}[31mb\u{1B}]52;c;Zm9v\u{7}c\nd\u{202E}e\u{9B}2Jf"

  private static func forged(
    _ result: DecoderReply.Result,
    _ change: (inout CoverFacts) -> Void
  ) -> DecoderReply.Result {
    guard case .cover(var facts, let bytes) = result else { return result }
    change(&facts)
    return .cover(facts, bytes: bytes)
  }

  private static func forgedTiles(
    _ result: DecoderReply.Result,
    _ change: (inout CoverFacts, inout Int) -> Void
  ) -> DecoderReply.Result {
    guard case .tiles(var facts, let clip, var bytes) = result else { return result }
    change(&facts, &bytes)
    return .tiles(facts, of: clip, bytes: bytes)
  }

  /// Returns a reply with one more warning, which is also written to the facts in the picture.
  private static func warning(
    _ result: DecoderReply.Result,
    _ words: String,
    in picture: FileDescriptor
  ) throws -> DecoderReply.Result {
    guard case .cover(var facts, let length) = result else { return result }
    facts.warnings.append(words)
    var bytes = [UInt8](repeating: 0, count: length)
    _ = try bytes.withUnsafeMutableBytes { try picture.read(fromAbsoluteOffset: 0, into: $0) }
    bytes = PNGText.replacing(CoverText.Keyword.facts.rawValue, with: facts.text?.text, in: bytes)
    try picture.writeAll(toAbsoluteOffset: 0, bytes)
    return .cover(facts, bytes: bytes.count)
  }

  /// Overwrites the file repeatedly for a moment, after the parent has had time to check it and put the cover in place.
  private static func overwrite(_ file: FileDescriptor) {
    usleep(100_000)
    let end = ContinuousClock.now + .milliseconds(60)
    var byte: UInt8 = 0xFF
    while ContinuousClock.now < end { _ = pwrite(file.rawValue, &byte, 1, 100) }
  }

  private static func sendDescriptors() {
    let descriptors = [Int32](repeating: STDIN_FILENO, count: Int(CLINUX_MOST_DESCRIPTORS))
    var byte: UInt8 = 0x20
    for _ in 0..<100 { _ = clinux_send(STDIN_FILENO, &byte, 1, descriptors, descriptors.count) }
  }

  private static func startThreads(most: Int) -> Int {
    (0..<most).count { _ in
      var thread = pthread_t()
      let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
        pause()
        return nil
      }
      return pthread_create(&thread, nil, body, nil) == 0
    }
  }
}
