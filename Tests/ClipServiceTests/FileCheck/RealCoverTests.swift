import ClipService
import Covers
import TestSupport
import Testing

@Suite("Accepted covers")
struct RealCoverTests {
  /// A variant of the request.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout CoverRequest) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout CoverRequest) -> Void) {
      (testDescription, self.change) = (name, change)
    }
  }

  static let kinds = [
    Kind("PNG") { _ in },
    Kind("PNG of 64 pixels") { $0.size = SizeLimit("64") ?? .none },
    Kind("PNG of one pixel") { $0.size = SizeLimit("1") ?? .none },
    Kind("PNG of 16 bits") { $0.bitDepth = 16 },
    Kind("PNG on a colour") { $0.background = Colour("#ff8000") },
    Kind("PNG of 16 bits on a colour") { ($0.bitDepth, $0.background) = (16, Colour("#ff8000")) },
    Kind("PNG that fills a box") { $0.fill = SizeLimit("90x50") },
    Kind("JPEG") { $0.format = .jpeg },
    Kind("JPEG of quality 100") { ($0.format, $0.quality) = (.jpeg, 100) },
    Kind("JPEG of quality 1") { ($0.format, $0.quality) = (.jpeg, 1) },
    Kind("JPEG of 64 pixels, half of the colours") {
      ($0.format, $0.quality, $0.size) = (.jpeg, 60, SizeLimit("64") ?? .none)
    },
    Kind("WebP") { $0.format = .webp },
    Kind("WebP of quality 100") { ($0.format, $0.quality) = (.webp, 100) },
    Kind("WebP of quality 1, of 64 pixels") {
      ($0.format, $0.quality, $0.size) = (.webp, 1, SizeLimit("64") ?? .none)
    },
  ]

  @Test("The cover of every fixture is accepted", .enabled(if: Scope.isFull), arguments: kinds)
  func fixtures(_ kind: Kind) throws {
    var request = CoverRequest()
    kind.change(&request)
    var count = 0
    for fixture in FixtureManifest.withCover {
      let cover: RealCover
      do {
        cover = try RealCover(of: fixture.path, request)
      } catch let failure as CoverFailure where failure.cause == .tooLarge {
        continue
      }
      #expect(cover.flaw(of: cover.bytes) == nil, "\(fixture)")
      count += 1
    }
    #expect(count > 50)
  }

  @Test("A cover without texts from the parent, such as one scaled for the screen, is accepted")
  func noTexts() throws {
    let cover = try RealCover(of: ProjectFolder.fixture("h264.mp4"), texts: [])
    #expect(cover.flaw(of: cover.bytes) == nil)
  }

  @Test("Transparency is accepted only if the decoder reported it", arguments: CoverFormat.allCases)
  func transparency(_ format: CoverFormat) throws {
    let cover = try RealCover("vp9-alpha.webm", format)
    #expect(cover.check.hasAlpha == (format != .jpeg))
    #expect(cover.flaw(of: cover.bytes) == nil)
    #expect(cover.check.announcing(hasAlpha: format == .jpeg).flaw(of: cover.bytes) != nil)
  }

  @Test("An opaque picture is accepted if transparency was reported")
  func opaque() throws {
    var request = CoverRequest(size: SizeLimit("32") ?? .none)
    (request.format, request.background) = (.webp, Colour("black"))
    let cover = try RealCover(of: ProjectFolder.fixture("vp9-alpha.webm"), request)
    // libwebp omits the alpha channel of an opaque picture, whatever was reported.
    #expect(cover.check.announcing(hasAlpha: true).flaw(of: cover.bytes) == nil)
  }
}
