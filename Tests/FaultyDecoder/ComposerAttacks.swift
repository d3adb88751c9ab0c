import Covers
import DecoderWire
import Glibc
import SystemPackage
import WorkerProgram

/// The attacks of a compromised composer, which is sandboxed like the real one.
struct ComposerAttacks {
  let attack: String

  func run(socket: inout WireSocket) throws {
    let words = CommandLine.arguments
    let mode = words.firstIndex(of: "--sandbox").flatMap { SandboxMode(rawValue: words[$0 + 1]) } ?? .auto
    let sandbox = ProcessSandbox.apply(ProcessSandbox.parts(of: mode), for: .composer, endsWithParent: true)
    try socket.send(ProgramHello(version: ClipCanvasVersion.current, libraries: [:], sandbox: sandbox))
    let (request, files) = try socket.receive(ComposerRequest.self)
    var clips: [FileDescriptor] = []
    while clips.count < request.clips { clips += try socket.receive(ComposerClips.self).descriptors }
    // The real composer has done this before a clip can take control of it.
    try ProcessSandbox.lowerLimits(fileBytes: request.fileBytes, tasks: request.tasks)
    switch request.work {
    case .measure: try measure(request.clips, socket)
    case .remux:
      try perform(on: files[0], clip: clips[0], socket) { step in
        .progress(bytes: step * ComposerReply.bytesBetweenReports)
      }
    case .compose(let video):
      try perform(on: files[0], clip: clips[0], socket) { step in
        let frames = step <= 5 ? 2 * step : 10 * (step - 4)
        return .composing(frames: min(frames, video.frames), bytes: 0)
      }
    }
  }

  /// Waits until a test has stopped the parent, and then taken all permissions from the clip.
  private func waitForStoppedParent(_ clip: FileDescriptor) {
    var status = stat()
    repeat { usleep(10_000) } while fstat(clip.rawValue, &status) == 0 && status.st_mode & 0o777 != 0
  }

  /// Attacks the parent, and then sleeps until it is killed.
  ///
  /// - Parameter progress: Returns an honest message after a number of steps.
  private func perform(
    on file: FileDescriptor,
    clip: FileDescriptor,
    _ socket: borrowing WireSocket,
    progress: (_ step: Int) -> ComposerReply
  ) throws {
    switch attack {
    case "repeatsProgress":
      while true {
        try socket.send(progress(1))
        usleep(100_000)
      }
    case "lowersProgress":
      for step in (0...1000).reversed() {
        try socket.send(progress(step))
        usleep(100_000)
      }
    case "creepsForward":
      // It misses no deadline of a second, not even on a busy machine.
      for step in 1...Int(Int32.max) {
        try socket.send(progress(step))
        usleep(200_000)
      }
    case "floodsProgress":
      for step in 1...Int(Int32.max) { try socket.send(progress(step)) }
    case "growsFile", "growsFileUnseen":
      if attack == "growsFileUnseen" { waitForStoppedParent(clip) }
      let bytes: [UInt8] = Array(repeating: 0x5A, count: 1 << 20)
      while write(file.rawValue, bytes, bytes.count) > 0 {}
    case "startsThreads":
      startThreads()
    case "hidesThreads":
      // The first thread ends, and the process continues.
      startThreads()
      pthread_exit(nil)
    case "absurdProgress":
      try socket.send(ComposerReply.composing(frames: .max, bytes: .min))
    case "absurdFacts":
      try socket.send(ComposerReply.remuxed(absurdFacts))
    case "outlivesParent":
      Self.sleepOn()
    default: exit(64)
    }
    while true { sleep(1000) }
  }

  // MARK: - Numbers

  /// Measures as the attack has it: otherwise each clip has a second, so that the attack occurs when
  /// the video is composed.
  private func measure(_ clips: Int, _ socket: borrowing WireSocket) throws {
    if attack == "repeatsMeasures" {
      while true {
        try socket.send(ComposerReply.measuring(clips: 1))
        usleep(100_000)
      }
    }
    let seconds: [String: Double] = ["negativeSeconds": -1e300, "manySeconds": 1e300, "yearsOfSeconds": 1e12]
    let pixels = attack == "manyPixels" ? Int.max : 160 * 90
    let measure = ClipMeasure(seconds: seconds[attack] ?? 1, pixels: pixels, hasSound: false)
    try socket.send(ComposerReply.measured(Array(repeating: .measure(measure), count: clips)))
  }

  private var absurdFacts: RemuxFacts {
    RemuxFacts(
      durationSeconds: 1e300,
      bytes: .max,
      videoStreams: .max,
      audioStreams: .min,
      subtitleStreams: 0,
      parts: []
    )
  }

  // MARK: - Threads

  /// Starts threads that sleep, as many as are possible, up to 20,000.
  private func startThreads() {
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      while true { sleep(1000) }
    }
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
      guard let attributes = buffer.baseAddress else { return }
      pthread_attr_init(attributes)
      pthread_attr_setstacksize(attributes, 16 << 10)
      var thread = pthread_t()
      for _ in 0..<20_000 {
        guard pthread_create(&thread, attributes, body, nil) == 0 else { return }
      }
    }
  }

  // MARK: - Sleep

  /// Sleeps with everything out of the way that could end this process along with its parent.
  static func sleepOn() -> Never {
    signal(SIGALRM, SIG_IGN)
    // `F_SETSIG`, a macro that Swift does not import here, and `O_ASYNC`.
    _ = fcntl(STDOUT_FILENO, 10, 0)
    _ = fcntl(STDOUT_FILENO, F_SETFL, 0)
    for descriptor in STDIN_FILENO...STDERR_FILENO { close(descriptor) }
    while true {
      alarm(UInt32.max)
      sleep(1000)
    }
  }
}
