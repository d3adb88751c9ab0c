import Covers
import DecoderWire
import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("A waiting decoder as reported by the kernel")
struct LockedDecoderTests {
  /// Returns the fields of a file in `/proc` by name.
  private static func fields(_ path: String) throws -> [String: String] {
    let text = String(decoding: try ScratchFolder.read(FilePath(path)), as: UTF8.self)
    return Dictionary(
      text.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1].drop { $0 == "\t" || $0 == " " })) : nil
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  @Test(
    "The decoder has no privileges, has a system call filter, and cannot be dumped",
    arguments: try await DecoderUser.possible()
  )
  func status(_ user: DecoderUser) async throws {
    let scratch = try ScratchFolder()
    _ = try await LockedDecoder.run(sandbox: "require", as: user, in: scratch) { process, hello in
      #expect(hello.sandbox.isComplete, "\(hello.sandbox)")
      let status = try Self.fields("/proc/\(process)/status")
      #expect(status["NoNewPrivs"] == "1")
      #expect(status["Seccomp"] == "2")
      for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        #expect(status[set] == "0000000000000000", "\(set)")
      }
      // The files in /proc of a process that is not dumpable are owned by root.
      var owner = stat()
      #expect(stat("/proc/\(process)/stat", &owner) == 0 && owner.st_uid == 0)
    }
  }

  @Test("The decoder has its resource limits")
  func limits() async throws {
    let scratch = try ScratchFolder()
    _ = try await LockedDecoder.run(sandbox: "require", in: scratch) { process, _ in
      let text = String(decoding: try ScratchFolder.read(FilePath("/proc/\(process)/limits")), as: UTF8.self)
      let limits = text.split(separator: "\n").map { line in
        line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
      }
      #expect(limits.contains("Max address space 1073741824 1073741824 bytes"), "\(text)")
      #expect(limits.contains("Max file size 1073741824 1073741824 bytes"))
      #expect(limits.contains("Max open files 64 64 files"))
      #expect(limits.contains("Max core file size 0 0 bytes"))
    }
  }

  @Test(
    "A crash leaves no core file, but would without the sandbox",
    .enabled(if: Scope.isFull),
    arguments: try await DecoderUser.possible()
  )
  func coreFile(_ user: DecoderUser) async throws {
    let pattern = String(decoding: try ScratchFolder.read("/proc/sys/kernel/core_pattern"), as: UTF8.self)
    // SIGSYS dumps core and is not caught by Swift's crash handler.
    for mode in ["require", "off"] {
      let scratch = try ScratchFolder()
      let ending = try await LockedDecoder.run(sandbox: mode, as: user, in: scratch) { process, _ in
        #expect(kill(process, SIGSYS) == 0)
      }
      #expect(ending == .signaled(SIGSYS))
      let names = try scratch.names().filter { $0 != "program" }
      if mode == "require" {
        #expect(names == [])
      } else if pattern.hasPrefix("core"), Self.coreFilesAreAllowed {
        #expect(names.first?.hasPrefix("core") == true)
      }
    }
  }

  private static var coreFilesAreAllowed: Bool {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 && limit.rlim_max > 0
  }

  @Test("A decoder that hangs is ended by its own alarm", .enabled(if: Scope.isFull))
  func alarm() async throws {
    let scratch = try ScratchFolder()
    let pipe = try FileDescriptor.pipe()
    defer {
      try? pipe.readEnd.close()
      try? pipe.writeEnd.close()
    }
    // The pipe never contains data.
    let request = DecoderRequest(number: 1, deadlineMilliseconds: 1, work: .probe(programme: nil))
    let ending = try await LockedDecoder.run(
      sandbox: "require",
      in: scratch,
      request: (request, pipe.readEnd)
    ) { _, _ in }
    #expect(ending == .signaled(SIGALRM))
  }

  @Test("The decoder cannot start threads, but could without the sandbox")
  func threads() async throws {
    let clip = ProjectFolder.fixture("h264.mp4").string
    #expect(try await Program.run("unguarded-reader", ["free", "threads", clip]).exitStatus == 0)
    #expect(try await Program.run("unguarded-reader", ["locked", "threads", clip]).exitStatus != 0)
  }

  @Test("The decoder has no open files but its socket and /dev/null")
  func descriptors() async throws {
    let scratch = try ScratchFolder()
    _ = try await LockedDecoder.run(sandbox: "require", in: scratch) { process, _ in
      let names = try ScratchFolder.names(in: FilePath("/proc/\(process)/fd"))
      #expect(names == ["0", "1", "2"])
    }
  }

  @Test("An index that needs gigabytes is reported as an error, and the decoder continues", .enabled(if: Scope.isFull))
  func hugeIndex() async throws {
    let scratch = try ScratchFolder()
    let clips = ["huge-index.mp4", "h264.mp4"].map { ProjectFolder.fixture($0).string }
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--sandbox", "require", "--json", "-o", scratch("covers").string + "/"] + clips
    )
    let records = try CoverRecord.all(in: result)
    let expected = try #require(FixtureManifest.withoutCover.first { $0.file == "huge-index.mp4" }?.failure)
    #expect(records.first?.reason == expected.cause && records.last?.status == "cover", "\(records)")
  }
}
