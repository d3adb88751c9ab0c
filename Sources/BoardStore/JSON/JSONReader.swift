/// Why a JSON value does not have the expected type or range.
struct ShapeError: Error, Hashable {
  /// A message such as `canvases[2].clip.path is missing`.
  let description: String
}

/// A JSON value with its path in the document, for error messages.
struct JSONReader {
  /// The path of a value.
  ///
  /// The text is created only for an error, because a board has thousands of values.
  indirect enum Place: CustomStringConvertible {
    case whole
    case member(String, of: Place)
    case element(Int, of: Place)

    /// A path such as `canvases[2].clip`.
    var description: String {
      switch self {
      case .whole: "the document"
      case .member(let key, of: .whole): key
      case .member(let key, of: let place): "\(place).\(key)"
      case .element(let index, of: .whole): "[\(index)]"
      case .element(let index, of: let place): "\(place)[\(index)]"
      }
    }
  }

  let value: JSON
  let place: Place

  init(_ value: JSON, at place: Place = .whole) {
    (self.value, self.place) = (value, place)
  }

  func error(_ what: String) -> ShapeError { ShapeError(description: "\(place) \(what)") }

  /// Returns a member, or `nil` if it is missing or `null`.
  func optional(_ key: String) throws(ShapeError) -> JSONReader? {
    guard case .object(let object) = value else { throw error("is not an object") }
    switch object[key] {
    case nil, .null: return nil
    case let member?: return JSONReader(member, at: .member(key, of: place))
    }
  }

  /// Returns a required member.
  func member(_ key: String) throws(ShapeError) -> JSONReader {
    guard let member = try optional(key) else {
      throw ShapeError(description: "\(Place.member(key, of: place)) is missing")
    }
    return member
  }

  func elements() throws(ShapeError) -> [JSONReader] {
    guard case .array(let values) = value else { throw error("is not an array") }
    return values.enumerated().map { JSONReader($1, at: .element($0, of: place)) }
  }

  func string() throws(ShapeError) -> String {
    guard case .string(let text) = value else { throw error("is not a string") }
    return text
  }

  func bool() throws(ShapeError) -> Bool {
    guard case .bool(let value) = value else { throw error("is neither true nor false") }
    return value
  }

  func int() throws(ShapeError) -> Int {
    guard case .number(let digits) = value, let number = Int(digits) else { throw error("is not a whole number") }
    return number
  }

  /// Returns a non-negative integer.
  func count() throws(ShapeError) -> Int {
    let number = try int()
    guard number >= 0 else { throw error("is below 0") }
    return number
  }

  /// Returns an integer from 0 to the highest revision.
  func revision() throws(ShapeError) -> Int {
    let number = try count()
    guard number <= BoardDocument.maximumRevision else { throw error("is above 2⁵³") }
    return number
  }

  func double() throws(ShapeError) -> Double {
    guard case .number(let digits) = value, let number = Double(digits), number.isFinite else {
      throw error("is not a number")
    }
    return number
  }

  /// Returns the enumeration case with this raw value.
  func word<Word: RawRepresentable & CaseIterable>(_: Word.Type) throws(ShapeError) -> Word
  where Word.RawValue == String {
    let text = try string()
    guard let word = Word(rawValue: text) else {
      throw error("is \"\(text)\", not one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// Returns the result of a failable initialiser, or throws an error if it is `nil`.
  func made<Value>(_ value: Value?, _ what: String) throws(ShapeError) -> Value {
    guard let value else { throw error(what) }
    return value
  }
}
