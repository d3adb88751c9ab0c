internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import PictureDrawing
internal import Pictures
internal import SystemPackage

/// The pictures of a video's canvases, in a file that is passed to the composer.
struct VideoPictures {
  /// The canvases, each with the positions of its pictures.
  private(set) var canvases: [VideoRequest.Canvas] = []
  private let file: MemoryFile
  private let palette: Palette
  private let after: ExportArguments.After
  private var bytes = 0

  /// Creates an empty file with room for the pictures of all canvases.
  ///
  /// - Throws: `CommandError` if there is too little memory.
  init(of plan: BoardPlan, _ palette: Palette, after: ExportArguments.After) throws(CommandError) {
    (self.palette, self.after) = (palette, after)
    let pixels = plan.cells.reduce(0) { $0 + $1.place.width * $1.place.height }
    do throws(Errno) {
      file = try MemoryFile(maximumBytes: 3 * 3 * pixels)
    } catch {
      throw .cannotExport("cannot create a file in memory: \(error.message)")
    }
  }

  /// Adds a canvas.
  ///
  /// - Parameters:
  ///   - cell: The canvas.
  ///   - gutter: The width of the gutter to paint around it, in pixels.
  ///   - cover: Its cover; `nil` if it shows a sign.
  ///   - plus: The canvas without its clip.
  /// - Throws: `CommandError` if the pictures cannot be stored.
  mutating func add(
    _ cell: BoardPlan.Cell,
    gutter: Int,
    cover: PictureBox?,
    plus: CanvasFace
  ) throws(CommandError) {
    let place = cell.place
    var canvas = VideoRequest.Canvas(x: place.x, y: place.y, width: place.width, height: place.height)
    canvas.gutter = gutter
    if let cover {
      canvas.cover = try write(cover.picture)
    } else {
      canvas.cover = try write(sign(cell.face, place))
    }
    switch after {
    case .hold, .loop: break
    case .cover: canvas.after = canvas.cover
    case .plus: canvas.after = try write(sign(plus, place))
    }
    if let backdrop = cover?.backdrop { canvas.backdrop = try write(backdrop.picture) }
    canvases.append(canvas)
  }

  /// Returns the file, which cannot be changed any more.
  ///
  /// - Throws: `CommandError`.
  func sealed() throws(CommandError) -> MemoryFile {
    do throws(Errno) {
      try file.seal(bytes: bytes)
    } catch {
      throw .cannotExport("cannot store the pictures: \(error.message)")
    }
    return file
  }

  private func sign(_ face: CanvasFace, _ place: PixelFrame) -> Picture {
    var picture = Picture(width: place.width, height: place.height, layout: .rgb)
    let frame = PixelFrame(x: 0, y: 0, width: place.width, height: place.height)
    CellPainter(BoardPlan.Cell(face: face, place: frame), palette).paintSign(on: &picture)
    return picture
  }

  /// Appends the pixels of a picture and returns their position.
  private mutating func write(_ picture: borrowing Picture) throws(CommandError) -> Int {
    let (start, rowBytes) = (bytes, 3 * picture.width)
    let (height, stride, descriptor) = (picture.height, picture.rowBytes, file.descriptor)
    do {
      try picture.withBytes { pixels in
        for row in 0..<height {
          let bytes = UnsafeRawBufferPointer(rebasing: pixels[row * stride..<(row * stride + rowBytes)])
          try descriptor.writeAll(toAbsoluteOffset: Int64(start + row * rowBytes), bytes)
        }
      }
    } catch {
      throw .cannotExport("cannot store the pictures: \((error as? Errno)?.message ?? "\(error)")")
    }
    bytes += rowBytes * height
    return start
  }
}
