/// The validation of a complete file that a decoder has returned: a cover, a sheet or an animation.
package protocol PictureCheck: Sendable {
  /// The maximum length in bytes of such a file.
  var maximumBytes: Int { get }
  /// Checks the reported facts and the length of a file before the file is read.
  func validate(byteCount: Int) throws(CoverFlaw)
  /// Checks a complete file.
  ///
  /// - Parameter file: All bytes of the file; they must not change during the call.
  func validate(_ file: UnsafeRawBufferPointer) throws(CoverFlaw)
}
