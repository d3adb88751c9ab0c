internal import CCover
package import Covers
package import Pictures

/// An animation as a file in memory.
package struct EncodedAnimation: Hashable, Sendable {
  /// All bytes of the file.
  package let bytes: [UInt8]
  /// The number of frames in the file; successive pictures that look the same may share a frame.
  package let frames: Int
  /// The sum of the frames' durations in the file.
  package let milliseconds: Int
}

/// An animation that is being encoded, picture after picture.
///
/// It loops for ever.
package struct AnimationEncoder: ~Copyable {
  private var handle: OpaquePointer?

  /// Begins an animation without pictures.
  ///
  /// - Parameters:
  ///   - format: The file format.
  ///   - size: The size of all pictures.
  ///   - quality: 1 to 100; the lower, the smaller the file.
  /// - Throws: `CoverFailure` with the stage `encode`.
  package init(format: AnimationFormat, size: PixelSize, quality: Int) throws(CoverFailure) {
    let options = ccover_animation_options(
      encoding: format == .gif ? CCOVER_GIF : CCOVER_ANIMATED_WEBP,
      width: Int32(clamping: size.width),
      height: Int32(clamping: size.height),
      quality: Int32(clamping: quality)
    )
    var handle: OpaquePointer?
    try withCoverError { ccover_animation_open(options, &handle, &$0) }
    guard let handle else { throw CoverFailure(stage: .encode, cause: .misuse, message: "no animation was begun") }
    self.handle = handle
  }

  deinit {
    var handle = handle
    ccover_animation_close(&handle)
  }

  private var openHandle: OpaquePointer {
    guard let handle else { preconditionFailure("an animation is open from its init to its deinit") }
    return handle
  }

  /// Appends a picture.
  ///
  /// - Parameters:
  ///   - picture: A picture of the animation's size with 8 bits per channel.
  ///   - milliseconds: How long it is shown, 1 to 65535. Times in a GIF are rounded to hundredths of a second; of
  ///     pictures that follow each other within less than 20 ms, only the longest is kept.
  /// - Throws: `CoverFailure` with the stage `encode`.
  package mutating func add(_ picture: borrowing Picture, milliseconds: Int) throws(CoverFailure) {
    let handle = openHandle
    try picture.withShimPicture { picture throws(CoverFailure) in
      try withCoverError { ccover_animation_add(handle, picture, Int32(clamping: milliseconds), &$0) }
    }
  }

  /// Returns the file of all pictures added; there must be at least one.
  ///
  /// - Throws: `CoverFailure` with the stage `encode`.
  package consuming func finish() throws(CoverFailure) -> EncodedAnimation {
    var encoded = ccover_bytes()
    defer { ccover_free_bytes(&encoded) }
    var facts = ccover_animation_facts()
    let handle = openHandle
    try withCoverError { ccover_animation_finish(handle, &encoded, &facts, &$0) }
    return EncodedAnimation(
      bytes: Array(UnsafeBufferPointer(start: encoded.start, count: encoded.count)),
      frames: Int(facts.frames),
      milliseconds: Int(facts.milliseconds)
    )
  }
}
