import ClipService
import Covers
import Files
import SystemPackage
import TestSupport
import Testing

/// Uses the real decoder.
@Suite("Scaling covers to a box")
struct CoverScalerTests {
  private let service = CoverService(decoder: ProjectFolder.program("clipcanvas-decoder"))

  /// Returns the size of a scaled cover, whose original size is 160x120 pixels.
  private func size(_ scaling: CoverScaler.Scaling) async throws -> PixelSize? {
    let scratch = try ScratchFolder()
    let batch = Batch(
      clips: ClipSelection(paths: [ProjectFolder.fixture("h264.mp4")]),
      request: CoverRequest(),
      placement: .below(scratch.path),
      jobs: 1
    )
    #expect(try await service.run(batch) { _ in }.covers == 1)
    let scaler = CoverScaler(service)
    let scaled = try await scaler.scale(scratch("h264.mp4.png"), scaling)
    await scaler.end()
    return try CoverHead(of: scaled.get().file.descriptor)?.size
  }

  @Test(
    "A fitted cover touches the box unless it is smaller",
    .enabled(if: Scope.isFull),
    arguments: [
      ("80x60", 80, 60), ("80x1000", 80, 60), ("1000x60", 80, 60), ("160x120", 160, 120), ("1000x1000", 160, 120),
    ]
  )
  func fits(_ box: String, _ width: Int, _ height: Int) async throws {
    #expect(try await size(.fitting(try #require(SizeLimit(box)))) == PixelSize(width: width, height: height))
  }

  @Test("A filling cover has the size of the box", arguments: [("80x80", 80, 80), ("400x30", 400, 30)])
  func fills(_ box: String, _ width: Int, _ height: Int) async throws {
    #expect(try await size(.filling(try #require(SizeLimit(box)))) == PixelSize(width: width, height: height))
  }

  @Test(
    "A cover fills most boxes, and fits into those that would crop more than two fifths of it, or a quarter if turned",
    .enabled(if: Scope.isFull),
    arguments: [
      ("400x300", 400, 300), ("1000x1000", 1000, 1000), ("160x75", 160, 75), ("120x120", 120, 120),
      ("160x71", 95, 71), ("119x120", 119, 89), ("90x120", 90, 68), ("400x30", 40, 30), ("1x30", 1, 1),
    ]
  )
  func mostlyFills(_ box: String, _ width: Int, _ height: Int) async throws {
    #expect(try await size(.mostlyFilling(try #require(SizeLimit(box)))) == PixelSize(width: width, height: height))
  }
}
