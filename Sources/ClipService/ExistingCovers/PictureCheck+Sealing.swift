internal import Covers
internal import Files
internal import SystemPackage

extension CoverFileCheck {
  /// Creates a check of the file that a decoder wrote when it reported these facts.
  init(of facts: CoverFacts, for request: CoverRequest, texts: [CoverText]) {
    let size = PixelSize(width: facts.width, height: facts.height)
    self.init(request: request, size: size, hasAlpha: facts.alpha, texts: texts, facts: facts.text)
  }
}

extension CoverFacts {
  /// Returns the check of the file that a decoder wrote when it reported these facts.
  ///
  /// - Throws: ``CoverFailure`` if they are not facts of such a picture.
  func check(for request: CoverRequest, texts: [CoverText]) throws(CoverFailure) -> any PictureCheck {
    guard tilesFit(request) else { throw .invalidPicture("its tiles are not those of the request") }
    guard framesFit(request) else { throw .invalidPicture("its frames are not those of the request") }
    guard let plan = request.animation, let frames else { return CoverFileCheck(of: self, for: request, texts: texts) }
    return AnimationFileCheck(
      format: plan.format,
      size: PixelSize(width: width, height: height),
      frames: frames.count,
      milliseconds: frames.milliseconds,
      texts: texts,
      facts: text,
      requestedBytes: plan.maximumBytes
    )
  }
}

extension MemoryFile {
  /// Creates the memory file that a decoder writes a picture to.
  ///
  /// - Parameters:
  ///   - request: The request; its size and format limit the length of the file.
  ///   - texts: The texts stored in the picture.
  static func make(for request: CoverRequest, texts: [CoverText]) throws(CoverFailure) -> MemoryFile {
    let largest: any PictureCheck =
      if let plan = request.animation {
        AnimationFileCheck(
          format: plan.format,
          size: request.largestSize,
          frames: plan.frameCount,
          milliseconds: 0,
          texts: texts,
          facts: nil,
          requestedBytes: plan.maximumBytes
        )
      } else {
        CoverFileCheck(request: request, size: request.largestSize, hasAlpha: true, texts: texts, facts: nil)
      }
    do throws(Errno) {
      return try MemoryFile(maximumBytes: min(largest.maximumBytes, maximumDecoderBytes))
    } catch {
      throw .cannotHold(error)
    }
  }

  /// The number of bytes that a decoder may write according to its own limit.
  private static let maximumDecoderBytes = 1 << 30
}

extension PictureCheck {
  /// Seals the file that a decoder wrote and then checks it, so that the content cannot change after the check.
  ///
  /// - Parameters:
  ///   - picture: The file that the decoder has written.
  ///   - bytes: The length that the decoder reported.
  func seal(_ picture: MemoryFile, bytes: Int) throws(CoverFailure) {
    do throws(CoverFlaw) {
      try validate(byteCount: bytes)
    } catch {
      throw .invalidPicture("\(error)")
    }
    let flaw: CoverFlaw?
    do throws(Errno) {
      try picture.seal(bytes: bytes)
      flaw = try picture.withBytes { bytes throws(Errno) in self.flaw(in: bytes) }
    } catch {
      throw .unsealed(error)
    }
    if let flaw { throw .invalidPicture("\(flaw)") }
  }

  private func flaw(in bytes: UnsafeRawBufferPointer) -> CoverFlaw? {
    do throws(CoverFlaw) {
      try validate(bytes)
      return nil
    } catch {
      return error
    }
  }
}
