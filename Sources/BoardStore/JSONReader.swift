/// Why a JSON value is not what it should be.
struct ShapeError: Error, Hashable {
  /// As `canvases[2].clip.path is missing`.
  let description: String
}

/// A value on its way to be understood, which knows where it stands so that what is wrong can be told.
struct JSONReader {
  /// Where a value stands.
  ///
  /// Written out only when something is wrong: a board holds thousands of values.
  indirect enum Place: CustomStringConvertible {
    case whole
    case member(String, of: Place)
    case element(Int, of: Place)

    /// As `canvases[2].clip`.
    var description: String {
      switch self {
      case .whole: "the whole"
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

  /// A member, which is missing when it is `null` too.
  func optional(_ key: String) throws(ShapeError) -> JSONReader? {
    guard case .object(let object) = value else { throw error("is no object") }
    switch object[key] {
    case nil, .null: return nil
    case let member?: return JSONReader(member, at: .member(key, of: place))
    }
  }

  /// A member that must be there.
  func member(_ key: String) throws(ShapeError) -> JSONReader {
    guard let member = try optional(key) else {
      throw ShapeError(description: "\(Place.member(key, of: place)) is missing")
    }
    return member
  }

  func elements() throws(ShapeError) -> [JSONReader] {
    guard case .array(let values) = value else { throw error("is no array") }
    return values.enumerated().map { JSONReader($1, at: .element($0, of: place)) }
  }

  func string() throws(ShapeError) -> String {
    guard case .string(let text) = value else { throw error("is no text") }
    return text
  }

  func bool() throws(ShapeError) -> Bool {
    guard case .bool(let value) = value else { throw error("is neither true nor false") }
    return value
  }

  func int() throws(ShapeError) -> Int {
    guard case .number(let digits) = value, let number = Int(digits) else { throw error("is no whole number") }
    return number
  }

  /// A whole number from 0.
  func count() throws(ShapeError) -> Int {
    let number = try int()
    guard number >= 0 else { throw error("is below 0") }
    return number
  }

  /// A whole number that another one can follow.
  func revision() throws(ShapeError) -> Int {
    let number = try count()
    guard number <= BoardDocument.mostRevision else { throw error("is above 2⁵³") }
    return number
  }

  func double() throws(ShapeError) -> Double {
    guard case .number(let digits) = value, let number = Double(digits), number.isFinite else {
      throw error("is no number")
    }
    return number
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(_: Word.Type) throws(ShapeError) -> Word
  where Word.RawValue == String {
    let text = try string()
    guard let word = Word(rawValue: text) else {
      throw error("is \"\(text)\", which is none of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// What a failable initializer makes of the value.
  func made<Value>(_ value: Value?, _ what: String) throws(ShapeError) -> Value {
    guard let value else { throw error(what) }
    return value
  }
}
