internal import Covers

/// The section of clips without a cover, which is folded until it is wanted.
extension GalleryPage {
  /// Returns the HTML before all causes.
  static func failuresHead(count: Int) -> String {
    """
    <details id="failures">
    <summary><h2>Without a cover</h2> <span class="count">\(count)</span></summary>

    """
  }

  /// Returns the HTML before the clips with one cause.
  static func causeHead(_ heading: String, count: Int) -> String {
    """
    <details class="cause">
    <summary><h3>\(heading)</h3> <span class="count">\(count)</span></summary>
    <ul class="rows">

    """
  }

  /// Returns a cause in words: `No video stream`.
  static func heading(of cause: CoverFailure.Cause?) -> String {
    switch cause {
    case nil: "Other reasons"
    case .isFolder: "Folder"
    case .notRegular: "Not a regular file"
    case .denied: "Permission denied"
    case .empty: "Empty file"
    case .isCover: "Picture made by clipcanvas"
    case .isPicture: "Picture, not a clip"
    case .inputOutput: "Read error"
    case .unrecognised: "Not recognised as a clip"
    case .refused: "Format not accepted"
    case .truncated: "Cut short"
    case .noFrame: "No frame that can be decoded"
    case .outputExists: "Another file has the name of the cover"
    case .outputDuplicate: "Another clip has the same cover name"
    case .outputDenied: "No permission to write the cover"
    case .outputFull: "Disk full"
    case .outputFailed: "Write error"
    case .decoderDied: "Decoder crashed"
    case .invalidReply: "Invalid reply from the decoder"
    case .misuse: "Internal error"
    case let cause?: words(cause.rawValue)
    }
  }

  /// Returns an identifier such as `unsupportedCodec` as words.
  private static func words(_ identifier: String) -> String {
    let words = identifier.reduce(into: "") { words, letter in
      words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
