import Covers
import DecoderWire
import Glibc
import SystemPackage

/// The faults of a composer, which takes the place of the real one.
struct ComposerFaults {
  let fault: String
  /// A video that the composer writes instead of what it should.
  let video: String?

  func run(socket: inout WireSocket) throws {
    let state = SandboxState(
      holds: ["limits", "capabilities", "privileges", "dumps", "landlock", "seccomp"],
      landlock: 7,
      missing: []
    )
    try socket.send(ProgramHello(version: ClipCanvasVersion.current, libraries: [:], sandbox: state))
    let (request, descriptors) = try socket.receive(ComposerRequest.self)
    var left = request.clips
    while left > 0 { left -= try socket.receive(ComposerClips.self).message.count }
    switch request.work {
    case .remux: try misbehave(output: descriptors[0], clips: request.clips, socket: &socket)
    case .measure: try measure(request.clips, socket: &socket)
    case .compose(let video): try compose(video, output: descriptors[0], socket: &socket)
    }
  }

  /// Says that each clip lasts a second, so that the fault occurs when the video is composed.
  private func measure(_ clips: Int, socket: inout WireSocket) throws {
    let (seconds, pixels): (Double, Int) = (fault == "negativeTime" ? -1 : 1, fault == "hugeFrames" ? .max : 160 * 90)
    let measure = MeasuredClip.measure(ClipMeasure(seconds: seconds, pixels: pixels, hasSound: false))
    let count = fault == "moreMeasures" ? clips + 1 : clips
    try socket.send(ComposerReply.measured(Array(repeating: measure, count: count)))
  }

  private func compose(_ video: VideoRequest, output: FileDescriptor, socket: inout WireSocket) throws {
    let failure = CoverFailure(stage: .decode, cause: .damaged, message: "made up")
    var facts = VideoFacts(frames: video.frames, bytes: 0, problems: [])
    switch fault {
    case "silent": while true { pause() }
    case "killed": kill(getpid(), SIGKILL)
    case "fewFrames": facts.frames -= 1
    case "otherCanvas":
      facts.problems = [.init(canvas: video.canvases.count, kind: .broken, seconds: 0, failure: failure)]
    case "otherVideo":
      let bytes = try read(self.video ?? "")
      try output.writeAll(bytes)
      facts.bytes = bytes.count
    default: return try socket.send(ComposerReply.progress(bytes: -1))
    }
    try socket.send(ComposerReply.composed(facts))
  }

  private func misbehave(output: FileDescriptor, clips: Int, socket: inout WireSocket) throws {
    switch fault {
    case "silent": while true { pause() }
    // A program that works notices the end of its parent when it reports its progress.
    case "waiting": _ = try socket.receive(ComposerClips.self)
    case "killed":
      try output.writeAll([0, 0, 0])
      kill(getpid(), SIGKILL)
    case "exits": exit(3)
    case "nothing": try socket.send(claim(bytes: 0, parts: clips))
    case "garbage":
      let bytes: [UInt8] = Array(repeating: 0x5A, count: 5000)
      try output.writeAll(bytes)
      try socket.send(claim(bytes: bytes.count, parts: clips))
    case "wrongSize":
      try output.writeAll([1, 2, 3])
      try socket.send(claim(bytes: 4, parts: clips))
    case "otherVideo":
      let bytes = try read(video ?? "")
      try output.writeAll(bytes)
      try socket.send(claim(bytes: bytes.count, parts: clips))
    case "manyParts": try socket.send(claim(bytes: 0, parts: clips + 1))
    case "wrongClip":
      let failure = CoverFailure(stage: .mux, cause: .incompatible, message: "made up")
      try socket.send(ComposerReply.failure(failure, clip: clips))
    case "longMessage":
      let text = String(repeating: "x", count: 5000)
      try socket.send(ComposerReply.failure(CoverFailure(stage: .mux, cause: .damaged, message: text), clip: nil))
    default: try FileDescriptor.standardInput.writeAll(Array("\u{1B}[31mnonsense\n".utf8))
    }
  }

  private func claim(bytes: Int, parts: Int) -> ComposerReply {
    let part = RemuxFacts.Part(
      durationSeconds: 1,
      packetsRead: 25,
      packets: 25,
      packetsLost: 0,
      streamsLeftOut: 0,
      endedEarly: false,
      damagedAtSeconds: nil,
      movedAtSeconds: nil
    )
    return .remuxed(
      RemuxFacts(
        durationSeconds: 1,
        bytes: bytes,
        videoStreams: 1,
        audioStreams: 1,
        subtitleStreams: 0,
        parts: Array(repeating: part, count: parts)
      )
    )
  }

  private func read(_ path: String) throws -> [UInt8] {
    let file = try FileDescriptor.open(FilePath(path), .readOnly)
    defer { try? file.close() }
    var bytes: [UInt8] = Array(repeating: 0, count: 1 << 20)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
    return Array(bytes[..<count])
  }
}
