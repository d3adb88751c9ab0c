internal import CoverCheck
internal import Covers
internal import Glibc
internal import SystemPackage

extension CoverFileCheck {
  /// Creates the check of what a decoder wrote when it reported these facts.
  init(of facts: CoverFacts, for request: CoverRequest, texts: [PNGText]) {
    let size = PixelSize(width: facts.width, height: facts.height)
    self.init(request: request, size: size, hasAlpha: facts.alpha, texts: texts)
  }

  /// Checks an open file, wherever its offset stands; nothing of it is read before its length is known to be possible.
  ///
  /// The file is read and not mapped: a decoder that made it shorter meanwhile would end this process.
  func validate(file: FileDescriptor) throws(CoverFailure) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw .invalidPicture("it cannot be read") }
    let byteCount = Int(status.st_size)
    do throws(CoverFlaw) {
      try validate(byteCount: byteCount)
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
      defer { bytes.deallocate() }
      try validate(UnsafeRawBufferPointer(rebasing: bytes[..<file.read(into: bytes)]))
    } catch {
      throw .invalidPicture("\(error)")
    }
  }
}

extension FileDescriptor {
  /// Fills a buffer from the start of the file.
  ///
  /// - Returns: How many bytes there were, fewer where the file ends or cannot be read.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      guard let count = try? read(fromAbsoluteOffset: Int64(filled), into: rest), count > 0 else { break }
      filled += count
    }
    return filled
  }
}
