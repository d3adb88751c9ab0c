internal import BoardSupport
internal import ClipService
internal import Covers

/// Clips that are identical or look alike.
struct SimilarGroup: Encodable {
  /// How the clips are similar.
  enum Similarity: String, Encodable {
    /// All have the same content.
    case identical
    /// They look alike; some may have the same content.
    case alike
  }

  /// A clip of a group.
  struct Clip: Encodable {
    /// The file.
    let clip: PictureOutcome.Clip
    /// The number of the content, which identical clips share.
    let content: Int
    /// The display size.
    let width, height: Int?
    let durationSeconds: Double?
    let codec: String?
    /// The hashes of the frames that are compared; `nil` if none is known.
    let hashes: [PerceptualHash?]?
  }

  let similarity: Similarity
  let clips: [Clip]

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - clips: The clips.
  ///   - contents: A value for each clip that is the same for clips with the same content.
  init(_ clips: [ComparedClip], contents: [Int]) {
    var numbers: [Int: Int] = [:]
    self.clips = zip(clips, contents).map { clip, content in
      let number = numbers[content] ?? numbers.count
      numbers[content] = number
      return Clip(
        clip: clip.file,
        content: number,
        width: clip.size.flatMap { $0.width > 0 ? $0.width : nil },
        height: clip.size.flatMap { $0.height > 0 ? $0.height : nil },
        durationSeconds: clip.durationSeconds,
        codec: clip.codec,
        hashes: clip.look == .unknown ? nil : clip.look.frames.map { $0?.hash }
      )
    }
    similarity = numbers.count == 1 ? .identical : .alike
  }

  /// The lines for people: a heading, and the clips.
  var lines: [String] {
    var names: [Int: String] = [:]
    let clips = clips.map { clip in
      if let first = names[clip.content] {
        return similarity == .identical ? "  \(clip.clip.path)" : "  \(clip.clip.path)  identical to \(first)"
      }
      names[clip.content] = clip.clip.path
      return (["  \(clip.clip.path)"] + [Self.facts(clip)].filter { !$0.isEmpty }).joined(separator: "  ")
    }
    return ["\(clips.count) \(similarity == .identical ? "identical clips" : "clips that look alike")"] + clips
  }

  private static func facts(_ clip: Clip) -> String {
    let size = clip.width.flatMap { width in clip.height.map { "\(width)×\($0)" } }
    return [size, clip.durationSeconds.flatMap(FactText.duration), clip.codec, clip.clip.bytes.map(FactText.bytes)]
      .compactMap(\.self).joined(separator: ", ")
  }
}
