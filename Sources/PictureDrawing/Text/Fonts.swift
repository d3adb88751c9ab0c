internal import CText

/// The installed fonts, for measuring and drawing lines of text.
///
/// Opening them takes a few milliseconds, and the first line in each script takes longer than later ones, so one value
/// should serve a whole picture. Different values may be used by different threads at the same time.
package struct Fonts: ~Copyable {
  private let handle: OpaquePointer

  /// Opens the installed fonts.
  ///
  /// - Parameter configuration: The path of a fontconfig configuration file (default: the system's configuration).
  /// - Throws: ``TextError``, in particular if no font is installed.
  package init(configuration: String? = nil) throws(TextError) {
    var error = ctext_error()
    guard let handle = ctext_fonts_open(configuration, &error) else { throw TextError(error) }
    self.handle = handle
  }

  deinit {
    ctext_fonts_close(handle)
  }

  /// Returns the size that a line of text has when it is drawn.
  ///
  /// - Parameters:
  ///   - text: The text, as for `Picture.draw(_:in:style:fonts:)`.
  ///   - style: The appearance of the line.
  ///   - maximumWidth: The maximum width of the line, in pixels; a wider line is shortened (default: no limit).
  ///   - truncation: Where it is shortened.
  /// - Throws: ``TextError``.
  package borrowing func measure(
    _ text: String,
    style: TextStyle,
    maximumWidth: Int? = nil,
    truncation: Truncation = .end
  ) throws(TextError) -> TextExtent {
    try Line(text, style, maximumWidth: maximumWidth, truncation, fonts: self).extent
  }

  /// Lays out a line.
  borrowing func line(_ text: String, _ layout: ctext_layout) throws(TextError) -> OpaquePointer {
    var layout = layout
    var error = ctext_error()
    guard let line = ctext_line_create(handle, text, text.utf8.count, &layout, &error) else { throw TextError(error) }
    return line
  }
}
