import Files
import SystemPackage
import TestSupport
import Testing

@Suite("Digests of files")
struct FileDigestTests {
  private func digest(_ path: FilePath, _ parts: [Range<Int>], stopped: Bool = false) throws -> String? {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      try file.digest(of: parts) { stopped }?.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }
  }

  @Test("They are those of sha256sum, for any number of blocks and parts")
  func sums() async throws {
    let scratch = try ScratchFolder()
    for count in [0, 1, 63, 64, 1 << 20, (1 << 20) + 1, 3 << 20] {
      let path = try scratch.write((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }, as: "\(count)")
      let sum = try await Program.runTool("sha256sum", [path.string]).text.prefix(64)
      #expect(try digest(path, [0..<count]) == String(sum))
      #expect(try digest(path, [0..<count / 3, count / 3..<count]) == String(sum))
    }
  }

  @Test("A part that the file does not have, and a stop, give no digest")
  func missing() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write([1, 2, 3], as: "short")
    #expect(try digest(path, [0..<4]) == nil)
    #expect(try digest(path, [0..<3], stopped: true) == nil)
  }
}
