import CoverDecoding
import Covers
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Decoders may report a lack of memory as damage, so that `errno` has to be looked at.
@Suite("Lack of memory while decoding")
struct LackOfMemoryTests {
  private static let isSanitized = dlsym(nil, "__asan_init") != nil
  /// Whether the tests themselves run with a limit on memory, which makes a failed allocation count.
  private static let isLimited = [RLIMIT_AS, RLIMIT_DATA].contains { resource in
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) != 0 || limit.rlim_cur != .max
  }

  @Test(
    "Memory that is found elsewhere is not lacking",
    .enabled(if: Scope.isFull),
    .disabled(if: isSanitized, "the sanitizer replaces the functions of the C library"),
    .disabled(if: isLimited, "the memory of the tests is limited")
  )
  func elsewhere() async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch("whole.mp4"),
      ["-f", "lavfi", "-i", "testsrc2=s=3840x2160:d=0.04", "-c:v", "libvpx-vp9", "-deadline", "realtime"]
        + ["-pix_fmt", "yuv420p", "-movflags", "faststart"]
    )
    let bytes = try ScratchFolder.read(scratch("whole.mp4"))
    let path = try scratch.write(bytes.prefix(bytes.count / 4), as: "cut.mp4")
    await #expect(processExitsWith: .success) { [path = path.string as String] in
      let clip = try FileDescriptor.open(FilePath(path), .readOnly)
      let output = try FileDescriptor.open("/dev/null", .writeOnly)
      try BlockedHeap.perform {
        let failure = #expect(throws: CoverFailure.self) {
          try CoverExtractor.makeCover(of: clip.rawValue, request: CoverRequest(), into: output.rawValue)
        }
        #expect(failure?.cause == .truncated, "\(String(describing: failure))")
      }
    }
  }
}

/// A heap that cannot grow, so that the C library finds memory elsewhere, after a call of the system has failed.
private enum BlockedHeap {
  private final class Work {
    private let body: () -> Void
    private var threads = 32
    private(set) var isDone = false

    init(_ body: @escaping () -> Void) {
      self.body = body
    }

    /// Does the work if the calling thread takes its memory from the heap.
    ///
    /// Otherwise it has a separate area, and the next thread may have none left.
    func perform() {
      errno = 0
      let large = malloc(40 << 20)
      isDone = errno == ENOMEM
      if isDone {
        // What is freed would be used next.
        body()
        free(large)
      } else if threads > 0 {
        free(large)
        threads -= 1
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, Self.run, Unmanaged.passUnretained(self).toOpaque())
        if code == 0 { pthread_join(thread, nil) }
      }
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
      work.map { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue() }?.perform()
      return nil
    }
  }

  /// Blocks the heap of the process for good, and does work on a thread that takes its memory from there.
  static func perform(_ body: @escaping () -> Void) throws {
    let function = try #require(dlsym(nil, "mallopt"))
    let mallopt = unsafeBitCast(function, to: (@convention(c) (_ option: Int32, _ value: Int32) -> Int32).self)
    let (leastMappedSize, maximumAreas): (Int32, Int32) = (-3, -8)
    try #require(mallopt(leastMappedSize, 1 << 30) == 1 && mallopt(maximumAreas, 1) == 1)
    let page = 4096
    let end = (Int(bitPattern: sbrk(0)) + page - 1) / page * page
    let options = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_FIXED_NOREPLACE)
    let block = mmap(UnsafeMutableRawPointer(bitPattern: end), page, PROT_NONE, options, -1, 0)
    try #require(block == UnsafeMutableRawPointer(bitPattern: end))
    let work = Work(body)
    work.perform()
    try #require(work.isDone, "no thread takes its memory from the heap")
  }
}
