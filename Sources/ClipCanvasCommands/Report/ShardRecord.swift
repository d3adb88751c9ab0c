internal import Covers

/// A record in the report of a shard.
struct ShardRecord: Decodable {
  struct Clip: Decodable {
    let path: String
  }

  let status: String?
  let clip: Clip?
  let known: Bool?
  let cover, sheet, animation, storyboard: String?
  let message, advice: String?
  let summary: SummaryRecord.Summary?

  /// Whether this is an outcome or the summary.
  var isComplete: Bool { summary?.isPlausible ?? (status != nil && clip != nil) }

  /// The line for a clip whose picture could not be made.
  var problem: String? {
    guard let message, let clip else { return nil }
    return ([clip.path + ": " + message] + [advice].compactMap(\.self)).joined(separator: "; ")
  }

  /// Returns the record as the run wrote it that did the work.
  ///
  /// Quotation marks in values are escaped, so members can be replaced in the text.
  func asMade(_ line: ArraySlice<UInt8>) -> String {
    var line = Array(line)
    let kinds = [(sheet, "sheet"), (animation, "animation"), (storyboard, "storyboard"), (cover, "cover")]
    if status == PictureOutcome.Status.fresh.rawValue, let kind = kinds.first(where: { $0.0 != nil }) {
      line.replaceFirst(#""status":"fresh""#, with: #""status":"\#(kind.1)""#)
    }
    if known == true { line.replaceFirst(#""known":true,"#, with: "") }
    return String(decoding: line, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Replaces the first occurrence of a text, if there is one; many times as fast as `replace(_:with:maxReplacements:)`.
  fileprivate mutating func replaceFirst(_ text: String, with other: String) {
    let text = Array(text.utf8)
    guard let start = indices.first(where: { self[$0...].starts(with: text) }) else { return }
    replaceSubrange(start..<start + text.count, with: other.utf8)
  }
}
