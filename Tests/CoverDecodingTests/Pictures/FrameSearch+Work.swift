import CoverDecoding
import Covers
import SystemPackage

extension FrameSearch {
  /// Returns the work for the frame of a clip that a request asks for.
  static func work(on clip: FilePath, _ request: CoverRequest = CoverRequest()) throws -> ClipDecoder.Counters {
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      var search = try FrameSearch(in: file.rawValue, for: request, limits: ClipDecoder.Limits())
      try search.find()
      return search.work
    }
  }
}
