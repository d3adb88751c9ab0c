internal import ClipService
internal import Covers

/// Images of a clip at several times, in the order of the times.
///
/// Each image is made when it is asked for, so a slow consumer holds no decoder.
public struct ClipImages: AsyncSequence, Sendable {
  /// An image, or the reason why it could not be made.
  public struct Element: Sendable {
    /// The time that was asked for.
    public let requestedTime: ClipTime
    /// The image, or the error.
    ///
    /// Another time may have an image nevertheless.
    public let result: Result<ClipImage, ClipError>

    /// The image.
    ///
    /// - Throws: ``ClipError`` if it could not be made.
    public var image: ClipImage {
      get throws(ClipError) { try result.get() }
    }
  }

  /// The iterator of the images.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let generator: CoverGenerator
    private let source: ClipSource
    private var times: ArraySlice<ClipTime>
    private var clip: Result<ClipReading, ClipError>?

    init(_ images: ClipImages) {
      (generator, source, times) = (images.generator, images.source, images.times[...])
    }

    /// Makes the next image.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or ``ClipError`` with the cause
    ///   ``ClipError/Cause/noDecoder`` if no image of any clip can be made.
    public mutating func next() async throws -> Element? {
      guard let time = times.popFirst() else { return nil }
      let opened = clip ?? Result { () throws(ClipError) in try source.open() }
      clip = opened
      do {
        let image = try await generator.image(of: opened.get(), at: time, isOneOfSeveral: true)
        return Element(requestedTime: time, result: .success(image))
      } catch let error as ClipError where error.cause != .noDecoder {
        return Element(requestedTime: time, result: .failure(error))
      }
    }
  }

  let generator: CoverGenerator
  let source: ClipSource
  let times: [ClipTime]

  /// Creates the iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
