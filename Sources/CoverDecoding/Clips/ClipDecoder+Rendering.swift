internal import CCover
internal import Covers
internal import Pictures

extension ClipDecoder {
  /// Converts the decoded frame into a picture of the given size, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - size: The size of the upright picture.
  ///   - layout: The pixel layout of the picture.
  ///   - deinterlaces: Whether to show only the first field of an interlaced frame.
  /// - Throws: `CoverFailure` with the stage `convert`.
  mutating func render(
    size: PixelSize,
    layout: Picture.Layout,
    deinterlaces: Bool
  ) throws(CoverFailure) -> Picture {
    try render(size: size, layout: layout) { handle, picture, error in
      ccover_render(handle, picture, deinterlaces, &error)
    }
  }

  /// Converts the decoded frame into a picture that fills a box, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - box: The size of the picture.
  ///   - filling: The scaled size of the upright frame and the position of the visible part.
  ///   - layout: The pixel layout of the picture.
  ///   - deinterlaces: Whether to show only the first field of an interlaced frame.
  /// - Throws: `CoverFailure` with the stage `convert`.
  mutating func render(
    filling box: SizeLimit,
    _ filling: CoverGeometry.Filling,
    layout: Picture.Layout,
    deinterlaces: Bool
  ) throws(CoverFailure) -> Picture {
    let part = ccover_part(
      whole_width: Int32(clamping: filling.scaled.width),
      whole_height: Int32(clamping: filling.scaled.height),
      left: Int32(clamping: filling.left),
      top: Int32(clamping: filling.top)
    )
    let size = PixelSize(width: box.width, height: box.height)
    return try render(size: size, layout: layout) { handle, picture, error in
      ccover_render_part(handle, picture, part, deinterlaces, &error)
    }
  }

  /// - Parameter draw: The call that writes the rows of the picture it is given.
  private mutating func render(
    size: PixelSize,
    layout: Picture.Layout,
    draw: (OpaquePointer, UnsafePointer<ccover_picture>, inout ccover_error) -> Int32
  ) throws(CoverFailure) -> Picture {
    let cLayout = ccover_layout(layout)
    var picture = Picture(
      width: size.width,
      height: size.height,
      layout: layout,
      rowBytes: ccover_row_bytes(Int32(clamping: size.width), cLayout),
      tailBytes: Int(CCOVER_TAIL_PADDING)
    )
    let (handle, rowBytes) = (openHandle, picture.rowBytes)
    let isOpaque = try picture.withMutableBytes { bytes throws(CoverFailure) in
      guard let rows = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
      var target = ccover_picture(
        width: Int32(clamping: size.width),
        height: Int32(clamping: size.height),
        layout: cLayout,
        row_bytes: rowBytes,
        rows: rows
      )
      try withCoverError { draw(handle, &target, &$0) }
      return ccover_is_opaque(&target)
    }
    return layout.hasAlpha && isOpaque ? picture.droppingAlpha() : picture
  }
}

extension ccover_layout {
  init(_ layout: Picture.Layout) {
    self =
      switch layout {
      case .rgb: CCOVER_RGB8
      case .rgba: CCOVER_RGBA8
      case .rgb16: CCOVER_RGB16
      case .rgba16: CCOVER_RGBA16
      }
  }
}
