import ClipCovers
import Covers
import Synchronization
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Decoders of Swift programs")
struct PoolTests {
  private let scratch: ScratchFolder
  private let decoder = ProjectFolder.program("clipcanvas-decoder").string
  private let clip = ClipSource.file(ProjectFolder.fixture("bt709.mp4").string)

  init() throws {
    scratch = try ScratchFolder()
  }

  private func failure(_ clip: ClipSource, at time: ClipTime = .first, of generator: CoverGenerator) async -> ClipError?
  {
    await #expect(throws: ClipError.self) { try await generator.image(of: clip, at: time) }
  }

  // MARK: - Errors

  @Test("Stages and causes are those of the command line, and two of a program's own")
  func names() {
    #expect(
      Set(ClipError.Stage.allCases.map(\.rawValue)) == Set(CoverFailure.Stage.allCases.map(\.rawValue) + ["request"])
    )
    #expect(
      Set(ClipError.Cause.allCases.map(\.rawValue))
        == Set(CoverFailure.Cause.allCases.map(\.rawValue) + ["invalidRequest", "noDecoder"])
    )
  }

  @Test("A clip that gives no image gives an error with its cause")
  func clips() async throws {
    let generator = CoverGenerator(pool: DecoderPool(decoder: decoder))
    #expect(await failure("/nowhere/a.mp4", of: generator)?.cause == .missing)
    #expect(await failure(.file(scratch.path.string), of: generator)?.cause == .isFolder)
    #expect(await failure(.bytes([]), of: generator)?.cause == .empty)
    #expect(await failure(.bytes(Array("just some text".utf8)), of: generator)?.cause == .unrecognised)
    let sound = ClipSource.file(ProjectFolder.fixture("artwork-only.mp3").string)
    #expect(await failure(sound, of: generator)?.cause == .noVideoStream)
  }

  @Test("A request out of range is refused with the range")
  func requests() async throws {
    let pool = DecoderPool(decoder: decoder)
    let generator = CoverGenerator(pool: pool)
    for time in [ClipTime.seconds(-1), .seconds(.nan), .seconds(.infinity), .percent(101), .percent(.nan)] {
      #expect(await failure(clip, at: time, of: generator)?.cause == .invalidRequest)
    }
    let large = CoverGenerator(maximumSize: .init(width: 0, height: 100_000), pool: pool)
    #expect(await failure(clip, of: large)?.message == "the maximum size must be within 1…32767 pixels, not 0×100000")
    let quality = CoverGenerator(format: .jpeg(quality: 101), pool: pool)
    #expect(await failure(clip, of: quality)?.message == "the quality must be within 1…100, not 101")
    await #expect(throws: ClipError.self) { try await generator.sheet(of: clip, columns: 0, rows: 3) }
    await #expect(throws: ClipError.self) { try await generator.storyboard(of: clip, every: 0.01) }
  }

  @Test("Without a decoder, or with one of another version, the error names it")
  func noDecoder() async throws {
    let missing = CoverGenerator(pool: DecoderPool(decoder: scratch("none").string))
    let error = await failure(clip, of: missing)
    #expect(error?.cause == .noDecoder && error?.message.contains(scratch("none").string) == true)
    let other = try TestDecoder.broken(by: "otherWire", in: scratch)
    let otherError = await failure(clip, of: CoverGenerator(pool: DecoderPool(decoder: other.string)))
    #expect(otherError?.message.contains("its version differs") == true)
    await #expect(throws: ClipError.self) {
      for try await _ in missing.images(of: clip, at: [.first, .best]) {}
    }
  }

  @Test(
    "Without a sandbox, or with an incomplete one if it is required, nothing is decoded until there is one",
    arguments: [
      ("landlock,seccomp", .available, "cannot be sandboxed: missing landlock (made up), seccomp (made up)"),
      ("landlock", .required, "'s sandbox is incomplete: missing landlock (made up)"),
    ] as [(String, DecoderPool.Sandbox, String)]
  )
  func noSandbox(_ missing: String, _ sandbox: DecoderPool.Sandbox, _ message: String) async throws {
    let decoder = try TestDecoder.broken(by: "killed", in: scratch, missing: missing)
    let pool = DecoderPool(limit: 1, decoder: decoder.string, sandbox: sandbox)
    let generator = CoverGenerator(pool: pool)
    for _ in 0..<2 {
      let error = await failure(clip, of: generator)
      #expect(error?.stage == .service && error?.cause == .noDecoder)
      #expect(error?.message.contains(message + "; use a kernel or container that offers ") == true, "\(error as Any)")
      // A program has no options of the command line.
      #expect(error?.description.contains("--") == false)
    }
    // The link now starts the real decoder.
    try scratch.write([], as: "mark")
    #expect(try await generator.image(of: clip).codec == "h264")
    await pool.endIdleDecoders()
  }

  @Test("A part of the sandbox that is missing is reported once, and images are made")
  func incompleteSandbox() async throws {
    let decoder = try TestDecoder.broken(by: "killed", in: scratch, missing: "landlock")
    let missing = Mutex<[String]>([])
    let pool = DecoderPool(limit: 1, decoder: decoder.string) { event in
      if case .incompleteSandbox(let parts) = event { missing.withLock { $0.append(parts) } }
    }
    let generator = CoverGenerator(pool: pool)
    for _ in 0..<2 { #expect(try await generator.image(of: clip).codec == "h264") }
    #expect(missing.withLock(\.self) == ["landlock (made up)"])
    await pool.endIdleDecoders()
  }

  @Test(
    "With few descriptors, a request gives an image or reports the shortage, and later ones give images",
    .enabled(if: Scope.isFull)
  )
  func descriptors() async throws {
    let fixture = ProjectFolder.fixture("bt709.mp4").string
    let result = try await Program.run("cover-storm", ["shortage", decoder, fixture])
    var lines = result.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    try #require(lines.count == 23 && lines.allSatisfy { $0.count > 1 }, "\(result)")
    let counts = lines.removeLast()
    #expect(counts[0] == counts[1], "descriptors before and after")
    let limited = lines.removeLast()
    #expect(
      limited[1] == "noDecoder: a decoder needs 36 file descriptors, but the limit is 30; raise the limit (ulimit -n)"
    )
    for line in lines {
      #expect(line[1] == "image" || line[1].contains("too many open files"), "with \(line[0]): \(line[1])")
      #expect(line[2] == "image", "after \(line[0])")
    }
    #expect(lines.first?[1] != "image" && lines.last?[1] == "image")
  }

  @Test(
    "A decoder that breaks is replaced, and the image made",
    arguments: ["killed", "exits", "garbage", "halfPicture"]
  )
  func broken(_ fault: String) async throws {
    let pool = DecoderPool(decoder: try TestDecoder.broken(by: fault, in: scratch).string)
    let image = try await CoverGenerator(pool: pool).image(of: clip)
    #expect(image.codec == "h264")
    await pool.endIdleDecoders()
  }

  @Test("A clip that changes while it is read is not mixed")
  func changed() async throws {
    let copy = try scratch.copy(ProjectFolder.fixture("bt709.mp4"), as: "clip.mp4")
    let pool = DecoderPool(decoder: decoder)
    let images = CoverGenerator(pool: pool).images(of: .file(copy.string), at: [.first, .first, .first])
    var causes: [ClipError.Cause?] = []
    for try await element in images {
      if case .failure(let error) = element.result { causes.append(error.cause) } else { causes.append(nil) }
      if causes.count == 1 { try scratch.write(ScratchFolder.read(ProjectFolder.fixture("bt601.mp4")), as: "clip.mp4") }
    }
    #expect(causes == [nil, .changed, .changed])
  }

  // MARK: - Limits

  @Test("No more requests are worked on than the limit allows, and the others wait")
  func limit() async throws {
    let working = Mutex((now: 0, most: 0, started: 0))
    let pool = DecoderPool(limit: 2, decoder: decoder) { event in
      working.withLock { working in
        switch event {
        case .began: working = (working.now + 1, max(working.most, working.now + 1), working.started)
        case .ended(_, let error):
          #expect(error == nil)
          working.now -= 1
        case .started: working.started += 1
        case .incompleteSandbox: break
        }
      }
    }
    let generator = CoverGenerator(maximumSize: .init(width: 40, height: 40), pool: pool)
    try await withThrowingTaskGroup { group in
      for _ in 0..<24 { group.addTask { try await generator.image(of: clip) } }
      for try await image in group { #expect(image.size.width == 40) }
    }
    await pool.endIdleDecoders()
    let counts = working.withLock(\.self)
    #expect(counts.now == 0 && counts.most == 2 && counts.started == 2)
  }

  @Test("Cancelled requests end whether they wait or work, and the next ones succeed", .timeLimit(.minutes(5)))
  func cancelling() async throws {
    let silent = try TestDecoder.broken(by: "silent", in: scratch)
    let pool = DecoderPool(limit: 1, decoder: silent.string)
    let generator = CoverGenerator(pool: pool)
    let working = Task { try await generator.image(of: clip) }
    // The file exists once the decoder has its request, and remains silent. Before that, other tests may keep all threads
    // busy for a while.
    while !ProjectFolder.isThere(scratch("mark")) { try await pause(.milliseconds(10)) }
    let waiting = (0..<5).map { _ in Task { try await generator.image(of: clip) } }
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    working.cancel()
    await #expect(throws: CancellationError.self) { try await working.value }
    // The link now starts the real decoder.
    #expect(try await generator.image(of: clip).codec == "h264")
    await pool.endIdleDecoders()
  }

  @Test("An idle decoder ends")
  func idle() async throws {
    let started = Mutex(0)
    let pool = DecoderPool(decoder: decoder, idleTime: .milliseconds(50)) { event in
      if event == .started { started.withLock { $0 += 1 } }
    }
    let generator = CoverGenerator(pool: pool)
    _ = try await generator.image(of: clip)
    try await eventually("another decoder is needed after a while") {
      try await pause(.milliseconds(100))
      _ = try await generator.image(of: clip)
      return started.withLock { $0 > 1 }
    }
  }

  @Test(
    "Of many requests at once, with decoders killed at random, each has an outcome, and nothing leaks",
    arguments: [(Scope.isFull ? 2_000 : 300, 64)]
  )
  func storm(_ requests: Int, tasks: Int) async throws {
    let clips = ["bt709.mp4", "bt601.mp4", "b-frames-3.mp4"].map { ProjectFolder.fixture($0).string }
    let result = try await Program.run("cover-storm", [decoder, "\(requests)", "\(tasks)", "25"] + clips)
    let words = String(decoding: result.output, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
      Int($0)
    }
    try #require(words.count == 8, "\(result)")
    let (images, errors, others) = (words[0], words[1], words[2])
    #expect(images + errors == requests && others == 0)
    #expect(images > requests / 2)
    #expect(words[3] == words[4], "descriptors before and after")
    #expect(words[5] == 0, "processes that are left")
    #expect(words[7] < words[6] + 20_000, "KiB of memory after a tenth, and in the end")
  }
}
