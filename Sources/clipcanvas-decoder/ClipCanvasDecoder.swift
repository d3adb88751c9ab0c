import CoverDecoding
import Covers
import DecoderWire
import Glibc
import SystemPackage

/// The only program that decodes.
///
/// `clipcanvas` starts it with a Unix socket as its standard input; it serves requests
/// there until the other side closes.
@main
enum ClipCanvasDecoder {
  static func main() {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      end(64, "it is started by clipcanvas and serves it over a socket; run clipcanvas instead")
    }
    var socket = WireSocket(takingOwnershipOf: .standardInput)
    do {
      limitMemory()
      try socket.send(DecoderHello(version: ClipCanvasVersion.current, libraries: Libraries.versions))
      // The lock-in takes its place here: the libraries are loaded, and no clip has been seen.
      while true {
        try serve(&socket)
      }
    } catch WireError.closed {
      // Not `exit`: the destructors of a hundred libraries have nothing to save.
      _exit(0)
    } catch {
      end(2, "\(error)")
    }
  }

  /// Bounds the address space: a few bytes of a clip's index can ask for gigabytes.
  ///
  /// Twice what the largest clips that were tried need (8K HEVC stays below 512 MiB). A sanitizer reserves terabytes, so
  /// with one there is no bound.
  private static func limitMemory() {
    guard getenv("ASAN_OPTIONS") == nil, getenv("TSAN_OPTIONS") == nil else { return }
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }

  private static func end(_ status: Int32, _ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas-decoder: \(message)\n".utf8)
    exit(status)
  }

  private static func serve(_ socket: inout WireSocket) throws(WireError) {
    let (request, descriptors) = try socket.receive(DecoderRequest.self)
    defer {
      for descriptor in descriptors {
        try? descriptor.close()
      }
    }
    // Should the work hang and the parent be gone, the alarm ends this process.
    alarm(UInt32(clamping: request.deadlineMilliseconds / 1000 + 2))
    let result = perform(request, descriptors: descriptors)
    alarm(0)
    try socket.send(DecoderReply(number: request.number, result: result))
  }

  private static func perform(_ request: DecoderRequest, descriptors: [FileDescriptor]) -> DecoderReply.Result {
    let limits = Clip.Limits(deadline: .milliseconds(request.deadlineMilliseconds))
    do throws(CoverFailure) {
      switch (request.work, descriptors.count) {
      case (.cover(let coverRequest, let texts), 2):
        return .cover(
          try CoverMaker.makeCover(
            of: descriptors[0].rawValue,
            request: coverRequest,
            into: descriptors[1].rawValue,
            texts: texts,
            limits: limits
          )
        )
      case (.probe, 1):
        return .facts(try CoverMaker.facts(of: descriptors[0].rawValue, limits: limits))
      default:
        throw CoverFailure(
          stage: .service,
          cause: .misuse,
          message: "a request came with \(descriptors.count) descriptors"
        )
      }
    } catch {
      return .failure(error)
    }
  }
}
