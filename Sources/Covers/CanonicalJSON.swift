internal import FoundationEssentials

/// JSON as ClipCanvas writes it: keys sorted and slashes bare, so that the same value always gives the same bytes.
public enum CanonicalJSON {
  /// One line, without the newline.
  public static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// Reads one value.
  public static func decode<Value: Decodable>(_: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(bytes))
  }
}
