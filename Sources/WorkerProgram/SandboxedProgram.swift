internal import CLinux
internal import Covers
package import DecoderWire
internal import Glibc
internal import SystemPackage

/// A program that reads clips in a sandbox.
///
/// `clipcanvas` starts it with a Unix socket as its standard input and a lifeline as its standard output. The program
/// sandboxes itself, sends a greeting, and serves its parent on the socket until the other side closes it.
package struct SandboxedProgram {
  /// The program's name.
  let name: String
  let profile: SandboxProfile
  /// The versions of FFmpeg's libraries, by name.
  let libraries: [String: String]

  /// Describes a program.
  package init(name: String, profile: SandboxProfile, libraries: [String: String]) {
    (self.name, self.profile, self.libraries) = (name, profile, libraries)
  }

  /// How long an idle program waits before it exits; the parent starts another one when needed.
  package static let maximumIdleSeconds: UInt32 = 3600

  /// Runs the program with the arguments of this process.
  ///
  /// - Parameter serve: Serves the parent until the work is done, or it throws `WireError.closed`.
  package func run(_ serve: (inout WireSocket) throws -> Void) -> Never {
    do throws(ProgramArguments.WrongUsage) {
      let words = (1..<max(1, clinux_argument_count())).compactMap { clinux_argument($0).map { String(cString: $0) } }
      let arguments = try ProgramArguments(words)
      guard !arguments.isSelfTest else { _exit(SelfTest.run(arguments.parts, for: profile)) }
      start(arguments, serve)
    } catch {
      end(.usage, error.description)
    }
  }

  private func start(_ arguments: ProgramArguments, _ serve: (inout WireSocket) throws -> Void) -> Never {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      end(.usage, "this program is started by clipcanvas; run clipcanvas instead")
    }
    // Never destroyed: a parent that sees the socket closed before this process has ended kills it, and reports that as
    // the reason.
    let socket = UnsafeMutablePointer<WireSocket>.allocate(capacity: 1)
    socket.initialize(to: WireSocket(takingOwnershipOf: .standardInput, acceptsDescriptors: true))
    do {
      // At this point, everything loaded by name has been loaded, and no clip has been read.
      let state = ProcessSandbox.apply(
        arguments.parts,
        for: profile,
        addressSpace: arguments.addressSpace,
        endsWithParent: true
      )
      try socket.pointee.send(ProgramHello(version: ClipCanvasVersion.current, libraries: libraries, sandbox: state))
      guard arguments.mode != .require || state.isComplete else {
        end(
          .cannotContinue,
          "the sandbox is incomplete, but --sandbox require was given: missing \(state.missingText)"
        )
      }
      alarm(Self.maximumIdleSeconds)
      try serve(&socket.pointee)
    } catch WireError.closed {
      // The parent has ended.
    } catch {
      end(.cannotContinue, "\(error)")
    }
    // Calling `_exit` rather than `exit` skips the destructors of about a hundred libraries, which have nothing to save.
    _exit(0)
  }

  private func end(_ status: ExitStatus, _ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("\(name): \(message)\n".utf8)
    _exit(status.rawValue)
  }
}
