internal import CArguments
internal import CSandbox
internal import CoverDecoding
internal import Covers
package import DecoderWire
internal import Glibc
package import SystemPackage

/// The program that decodes.
///
/// `clipcanvas` starts it with a Unix socket as its standard input; it locks itself in and serves requests there until
/// the other side closes.
public enum DecoderProgram {
  /// Runs the program with the arguments of this process.
  public static func run() -> Never {
    do throws(DecoderArguments.WrongUsage) {
      let words = (1..<max(1, carguments_count())).compactMap { carguments_get($0).map { String(cString: $0) } }
      let arguments = try DecoderArguments(words)
      guard !arguments.isSelfTest else { _exit(SelfTest.run(arguments.parts)) }
      serve(arguments)
    } catch {
      end(64, error.description)
    }
  }

  private static func serve(_ arguments: DecoderArguments) -> Never {
    // Some of FFmpeg's decoders show memory that they did not write, which would be what another clip left there.
    csandbox_set_up_heap()
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      end(64, "it is started by clipcanvas and serves it over a socket; run clipcanvas instead")
    }
    var socket = WireSocket(takingOwnershipOf: .standardInput, acceptsDescriptors: true)
    do {
      // Everything that is loaded by name is loaded, and no clip has been seen.
      let sandbox = LockIn.apply(arguments.parts)
      try socket.send(
        DecoderHello(version: ClipCanvasVersion.current, libraries: Libraries.versions, sandbox: sandbox)
      )
      guard arguments.mode != .require || sandbox.isComplete else {
        end(2, "it cannot be locked in as required, it is without \(sandbox.missingText)")
      }
      alarm(mostIdleSeconds)
      WireRehearsal.ofDecoder
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

  /// A decoder that has had nothing to do for so long ends; the parent starts another when it needs one.
  private static let mostIdleSeconds: UInt32 = 3600

  private static func end(_ status: Int32, _ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas-decoder: \(message)\n".utf8)
    _exit(status)
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
    alarm(mostIdleSeconds)
    try socket.send(DecoderReply(number: request.number, result: result))
  }

  /// Does what a request asks for.
  ///
  /// - Parameters:
  ///   - request: A request, as it came over the socket.
  ///   - descriptors: The descriptors that came with it; stay open.
  package static func perform(_ request: DecoderRequest, descriptors: [FileDescriptor]) -> DecoderReply.Result {
    let limits = Clip.Limits(deadline: .milliseconds(request.deadlineMilliseconds))
    do throws(CoverFailure) {
      switch (request.work, descriptors.count) {
      case (.cover(let coverRequest, let texts), 2):
        let facts = try CoverMaker.makeCover(
          of: descriptors[0].rawValue,
          request: coverRequest,
          into: descriptors[1].rawValue,
          texts: texts,
          limits: limits
        )
        return .cover(facts, bytes: Int(lseek(descriptors[1].rawValue, 0, SEEK_CUR)))
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
