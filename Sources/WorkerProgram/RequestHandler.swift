internal import CoverDecoding
internal import Covers
package import DecoderWire
internal import Glibc
package import SystemPackage

/// Performs the requests received over the socket.
package final class RequestHandler {
  /// The clip that is kept open for further covers of its series.
  private struct Series: ~Copyable {
    let number: Int
    let clip: FileDescriptor
    var covers: ClipCovers

    deinit {
      try? clip.close()
    }
  }

  private var series: Series?

  package init() {}

  /// Performs a request.
  ///
  /// - Parameters:
  ///   - request: The request, as received over the socket.
  ///   - descriptors: The descriptors received with the request; ``close(_:)`` closes them.
  package func perform(_ request: DecoderRequest, descriptors: [FileDescriptor]) -> DecoderReply.Result {
    var limits = ClipDecoder.Limits(deadline: .milliseconds(request.deadlineMilliseconds))
    limits.rawFormat = request.rawFormat
    if series?.number != request.series { series = nil }
    do throws(CoverFailure) {
      switch (request.work, descriptors.count) {
      case (.cover(let coverRequest, let texts), 2):
        let (clip, output) = (descriptors[0], descriptors[1].rawValue)
        let facts =
          if let number = request.series {
            try makeCover(coverRequest, inSeries: number, of: clip, into: output, texts: texts, limits: limits)
          } else {
            try CoverExtractor.makeCover(
              of: clip.rawValue,
              request: coverRequest,
              into: output,
              texts: texts,
              limits: limits
            )
          }
        return .cover(facts, bytes: Self.offset(of: descriptors[1]))
      case (.tiles(let sheetRequest), 2):
        let facts = try CoverExtractor.writeTiles(
          of: descriptors[0].rawValue,
          request: sheetRequest,
          into: descriptors[1].rawValue,
          limits: limits
        )
        return .tiles(facts.picture, of: facts.clip, bytes: Self.offset(of: descriptors[1]))
      case (.encode(let sheetRequest, let texts, let facts, let clip), 2):
        let facts = try CoverExtractor.encode(
          descriptors[0].rawValue,
          facts: facts,
          clip: clip,
          request: sheetRequest,
          into: descriptors[1].rawValue,
          texts: texts
        )
        return .cover(facts, bytes: Self.offset(of: descriptors[1]))
      case (.probe(let programme), 1):
        return try Self.probe(descriptors[0].rawValue, programme: programme, limits: limits)
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

  /// Closes the descriptors of a request, except that of a clip which is kept open.
  package func close(_ descriptors: [FileDescriptor]) {
    for descriptor in descriptors where series?.clip != descriptor {
      try? descriptor.close()
    }
  }

  private static func probe(
    _ clip: Int32,
    programme: Int?,
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) -> DecoderReply.Result {
    let start = ContinuousClock.now
    do throws(CoverFailure) {
      let probed = try CoverExtractor.probe(clip, programme: programme, limits: limits)
      return .facts(probed.facts, details: probed.details)
    } catch {
      var limits = limits
      limits.deadline -= start.duration(to: .now)
      guard error.cause == .noVideoStream, limits.deadline > .zero,
        let details = try? CoverExtractor.details(ofClipWithoutVideo: clip, limits: limits)
      else { throw error }
      return .lacksVideo(error, details: details)
    }
  }

  private func makeCover(
    _ request: CoverRequest,
    inSeries number: Int,
    of clip: FileDescriptor,
    into output: Int32,
    texts: [CoverText],
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) -> CoverFacts {
    var current = series.take() ?? Series(number: number, clip: clip, covers: ClipCovers(of: clip.rawValue))
    let result = Result { () throws(CoverFailure) in
      try current.covers.makeCover(request, into: output, texts: texts, limits: limits)
    }
    series = consume current
    return try result.get()
  }

  private static func offset(of file: FileDescriptor) -> Int { Int(lseek(file.rawValue, 0, SEEK_CUR)) }
}
