import CoverDecoding
import Covers
import SystemPackage
import TestSupport

extension CoverExtractor {
  /// Makes the cover of a file as `cover.png` in a folder.
  static func makeCover(
    of clip: FilePath,
    _ request: CoverRequest = CoverRequest(),
    in scratch: ScratchFolder
  ) throws -> CoverFacts {
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      let output = try FileDescriptor.open(
        scratch("cover.png"),
        .writeOnly,
        options: [.create, .truncate, .closeOnExec],
        permissions: .ownerReadWrite
      )
      return try output.closeAfter {
        try makeCover(of: file.rawValue, request: request, into: output.rawValue)
      }
    }
  }
}
