package import Covers
internal import Pictures

/// Makes covers of a clip, one after another, and opens it only once where possible.
///
/// Each cover is the same as if it had been made alone.
package struct ClipCovers: ~Copyable {
  private let descriptor: Int32
  private var reusable: ReusableClip?
  /// The best frame of the stream or artwork that it was searched in.
  private var best: (of: FrameSource, frame: BestFrame.Candidate)?

  /// Starts with a clip.
  ///
  /// - Parameter descriptor: A descriptor open for reading; it is not closed, and must stay open.
  package init(of descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Decodes the requested frame and writes it as a picture; see
  /// ``CoverExtractor/makeCover(of:request:into:texts:limits:)``.
  ///
  /// - Throws: `CoverFailure`; the output may then contain part of a picture.
  package mutating func makeCover(
    _ request: CoverRequest,
    into output: Int32,
    texts: [CoverText] = [],
    limits: ClipDecoder.Limits = ClipDecoder.Limits()
  ) throws(CoverFailure) -> CoverFacts {
    let source = FrameSource(request)
    let known = best.flatMap { $0.of == source ? $0.frame : nil }
    var search = try FrameSearch(in: descriptor, for: request, limits: limits, reusing: reusable.take(), best: known)
    do throws(CoverFailure) {
      try search.find()
    } catch {
      throw EnhancedFLV.explain(error, of: descriptor)
    }
    if let frame = search.best { best = (source, frame) }
    let cover = try CoverExtractor.extractCover(from: &search, request: request)
    reusable = search.reusableClip()
    return try CoverExtractor.write(cover, as: request, to: output, texts: texts)
  }
}
