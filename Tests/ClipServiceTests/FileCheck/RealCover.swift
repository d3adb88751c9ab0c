import ClipService
import CoverDecoding
import Covers
import SystemPackage
import TestSupport

/// A cover made by the decoder's own code, with the check that the parent applies to it.
struct RealCover {
  let bytes: [UInt8]
  let check: CoverFileCheck

  /// Texts of the kinds that the parent sends.
  static let texts = [
    CoverText(.uri, "file:///clips/a%20b.mp4"),
    CoverText(.mtime, "1700000000"),
    CoverText(.size, "27018"),
    CoverText(.mtimeNanoseconds, "1700000000123456789"),
    CoverText(.request, #"{"at":"first","size":"32767x32767"}"#),
  ]

  /// Makes the cover of a clip.
  init(of clip: FilePath, _ request: CoverRequest = CoverRequest(), texts: [CoverText] = texts) throws {
    let scratch = try ScratchFolder()
    let input = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    defer { try? input.close() }
    let output = try scratch.create("cover")
    defer { try? output.close() }
    let facts = try CoverExtractor.makeCover(of: input.rawValue, request: request, into: output.rawValue, texts: texts)
    bytes = try ScratchFolder.read(scratch("cover"))
    check = CoverFileCheck(
      request: request,
      size: PixelSize(width: facts.width, height: facts.height),
      hasAlpha: facts.alpha,
      texts: texts,
      facts: facts.text
    )
  }

  /// Makes a small cover of a fixture.
  init(_ fixture: String, _ format: CoverFormat, side: Int = 32) throws {
    var request = CoverRequest(size: SizeLimit(width: side, height: side) ?? .none)
    request.format = format
    try self.init(of: ProjectFolder.fixture(fixture), request)
  }

  /// Returns the flaw that the check finds in other bytes presented as this cover.
  func flaw(of bytes: [UInt8]) -> CoverFlaw? { check.flaw(of: bytes) }
}

extension PictureCheck {
  /// Returns the flaw in a file; returns `nil` if it is valid.
  func flaw(of bytes: [UInt8]) -> CoverFlaw? {
    bytes.withUnsafeBytes { file in
      do throws(CoverFlaw) {
        try validate(file)
        return nil
      } catch {
        return error
      }
    }
  }
}

extension CoverFileCheck {
  /// Returns the same check for other facts.
  func reporting(_ facts: CoverText?) -> CoverFileCheck {
    CoverFileCheck(request: request, size: size, hasAlpha: hasAlpha, texts: texts, facts: facts)
  }

  /// Returns the same check for a different reply of the decoder.
  func announcing(_ size: PixelSize? = nil, hasAlpha: Bool? = nil, texts: [CoverText]? = nil) -> CoverFileCheck {
    CoverFileCheck(
      request: request,
      size: size ?? self.size,
      hasAlpha: hasAlpha ?? self.hasAlpha,
      texts: texts ?? self.texts,
      facts: facts
    )
  }
}
