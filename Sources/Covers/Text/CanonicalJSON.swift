internal import FoundationEssentials

/// JSON as ClipCanvas writes it: keys are sorted and slashes are not escaped, so equal values always give the same
/// bytes.
package enum CanonicalJSON {
  /// Encodes a value as one line, without the newline.
  package static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// Decodes one value.
  package static func decode<Value: Decodable>(_: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(bytes))
  }
}
