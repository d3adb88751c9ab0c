internal import CArguments
internal import CSandbox
internal import CoverDecoding
internal import Covers
internal import DecoderWire
internal import Glibc
internal import SystemPackage

/// The decoder program.
///
/// `clipcanvas` starts it with a Unix socket as its standard input. The program sandboxes itself and serves requests on
/// the socket until the other side closes it.
public enum DecoderProgram {
  /// Runs the program with the arguments of this process.
  public static func run() -> Never {
    do throws(DecoderArguments.WrongUsage) {
      let words = (1..<max(1, carguments_count())).compactMap { carguments_get($0).map { String(cString: $0) } }
      let arguments = try DecoderArguments(words)
      guard !arguments.isSelfTest else { _exit(SelfTest.run(arguments.parts)) }
      serve(arguments)
    } catch {
      end(.usage, error.description)
    }
  }

  private static func serve(_ arguments: DecoderArguments) -> Never {
    // Some of FFmpeg's decoders expose memory that they did not write and that may contain data of another clip.
    csandbox_set_up_heap()
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      end(.usage, "this program is started by clipcanvas ; run clipcanvas instead")
    }
    var socket = WireSocket(takingOwnershipOf: .standardInput, acceptsDescriptors: true)
    do {
      // At this point, everything loaded by name has been loaded, and no clip has been read.
      let sandbox = ProcessSandbox.apply(arguments.parts)
      try socket.send(
        DecoderHello(version: ClipCanvasVersion.current, libraries: Libraries.versions, sandbox: sandbox)
      )
      guard arguments.mode != .require || sandbox.isComplete else {
        end(
          .cannotContinue,
          "the sandbox is incomplete, but --sandbox require was given: \(sandbox.missingText) missing"
        )
      }
      alarm(maximumIdleSeconds)
      WireRehearsal.ofDecoder
      let handler = RequestHandler()
      while true {
        try serve(&socket, with: handler)
      }
    } catch WireError.closed {
      // Calling `_exit` rather than `exit` skips the destructors of about a hundred libraries, which have nothing to
      // save.
      _exit(0)
    } catch {
      end(.cannotContinue, "\(error)")
    }
  }

  /// The time after which an idle decoder exits; the parent starts another one when needed.
  private static let maximumIdleSeconds: UInt32 = 3600

  private static func end(_ status: ExitStatus, _ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas-decoder: \(message)\n".utf8)
    _exit(status.rawValue)
  }

  private static func serve(_ socket: inout WireSocket, with handler: RequestHandler) throws(WireError) {
    let (request, descriptors) = try socket.receive(DecoderRequest.self)
    // If the work hangs and the parent no longer exists, the alarm ends this process.
    alarm(UInt32(clamping: request.deadlineMilliseconds / 1000 + 2))
    let result = handler.perform(request, descriptors: descriptors)
    handler.close(descriptors)
    alarm(maximumIdleSeconds)
    try socket.send(DecoderReply(number: request.number, result: result))
  }
}
