/// A name that a mistyped one probably stands for.
enum Suggestion {
  /// Returns the name with the smallest edit distance; `nil` if none is close.
  ///
  /// - Parameters:
  ///   - word: The mistyped name.
  ///   - names: The valid names.
  static func nearest(to word: String, among names: [String]) -> String? {
    let measured = names.map { (name: $0, distance: distance(word, $0)) }
    let close = measured.filter { $0.distance <= max(1, min(word.count, $0.name.count) / 3) }
    return close.min { $0.distance < $1.distance }?.name
  }

  /// The number of characters to insert, remove or replace, or of neighbours to exchange (optimal string alignment).
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.lowercased()), Array(other.lowercased()))
    var rows = [Array(0...other.count)]
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
