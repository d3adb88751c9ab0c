internal import Files
public import SystemPackage

/// A path that keeps its bytes in JSON: it is written as the text that `RawArguments` makes of it.
@propertyWrapper
public struct ExactPath: Codable, Hashable, Sendable {
  /// The path.
  public var wrappedValue: FilePath

  /// Creates a value with a path.
  public init(wrappedValue: FilePath) {
    self.wrappedValue = wrappedValue
  }

  /// Reads the text of a path.
  public init(from decoder: any Decoder) throws {
    wrappedValue = RawArguments.path(of: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text of the path.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(RawArguments.text(of: wrappedValue))
  }
}
