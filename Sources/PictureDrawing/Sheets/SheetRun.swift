package import BoardSupport
package import Covers
internal import Pictures
internal import SystemPackage

/// The drawing of one contact sheet: reads the pixels of its frames, draws them with their texts, and writes the
/// pixels of the sheet.
package struct SheetRun {
  private let sheet: ContactSheet

  /// Creates a run.
  package init(_ sheet: ContactSheet) {
    self.sheet = sheet
  }

  /// Draws the sheet from standard input to standard output, both rows of 8-bit RGB without padding.
  ///
  /// - Throws: `CommandError`.
  package func run() throws(CommandError) {
    var painter = SheetPainter(sheet)
    for number in sheet.tiles.times.indices {
      painter.draw(try tile(number), number: number)
    }
    do throws(TextError) {
      if sheet.style.hasText { try painter.drawTexts(with: Fonts()) }
    } catch {
      throw CommandError(.cannotContinue, "a contact sheet cannot be drawn: \(error.message)")
    }
    try write(painter.finish())
  }

  private func tile(_ number: Int) throws(CommandError) -> Picture {
    var tile = Picture(width: sheet.tiles.width, height: sheet.tiles.height, layout: .rgb)
    let start = number * tile.rowBytes * tile.height
    let isRead = tile.withMutableBytes { bytes in
      (try? FileDescriptor.standardInput.read(fromAbsoluteOffset: Int64(start), into: bytes)) == bytes.count
    }
    guard isRead else { throw CommandError(.cannotContinue, "the frames of the contact sheet cannot be read") }
    return tile
  }

  private func write(_ picture: borrowing Picture) throws(CommandError) {
    let isWritten = picture.withBytes { bytes in
      (try? FileDescriptor.standardOutput.writeAll(bytes)) == bytes.count
    }
    guard isWritten else { throw CommandError(.cannotContinue, "the contact sheet cannot be written") }
  }
}
