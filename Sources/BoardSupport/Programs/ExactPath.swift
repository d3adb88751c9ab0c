internal import Files
package import SystemPackage

/// A path that keeps its bytes in JSON: it is written as the text that `RawArguments` makes of it.
@propertyWrapper
package struct ExactPath: Codable, Hashable, Sendable {
  /// The path.
  package var wrappedValue: FilePath

  /// Creates a value with a path.
  package init(wrappedValue: FilePath) {
    self.wrappedValue = wrappedValue
  }

  /// Reads the text of a path.
  package init(from decoder: any Decoder) throws {
    wrappedValue = RawArguments.path(of: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text of the path.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(RawArguments.text(of: wrappedValue))
  }
}
