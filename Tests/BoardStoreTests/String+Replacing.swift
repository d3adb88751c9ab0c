extension String {
  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    var result = self
    result.replaceSubrange(range, with: text)
    return result
  }
}
