extension JSON {
  /// The maximum nesting depth of arrays and objects.
  package static let maximumDepth = 128
  /// The maximum number of values in a document, which bounds its memory.
  ///
  /// A value may have two bytes of text, and takes 24 to 100 bytes of memory. A name or a text of more than 15 bytes
  /// counts as one more.
  package static let maximumValues = 500_000

  /// Parses one value strictly according to RFC 8259: UTF-8 only, no byte order mark, and unique names in each object.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    let result: Result<JSON, JSONError> = bytes.withUnsafeBufferPointer { buffer in
      var parser = JSONParser(bytes: buffer)
      do throws(JSONError) {
        return .success(try parser.document())
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Some arrays of an object, whose elements are passed on one by one instead of being collected.
  ///
  /// As JSON, a large array takes many times the memory of its text. Only one element at a time counts among the
  /// ``maximumValues`` of a document.
  struct Streams {
    /// The names of the members of the outermost object whose arrays are passed on.
    let names: Set<String>
    /// A closure that receives each element.
    let receive: (Element) -> Void

    /// An element of such an array.
    struct Element {
      /// The element.
      let json: JSON
      /// The name of its array.
      let array: String
      /// The position of its text, if the element would be written in the same way.
      let place: Range<Int>?
    }
  }

  /// Parses one value strictly, as ``init(parsing:)`` does; arrays that are passed on are empty in the result.
  init(parsing bytes: [UInt8], passing streams: Streams) throws(JSONError) {
    let result: Result<JSON, JSONError> = bytes.withUnsafeBufferPointer { buffer in
      var parser = JSONParser(bytes: buffer, streams: streams)
      do throws(JSONError) {
        return .success(try parser.document())
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Parses damaged text; arrays and objects contain whatever can be read of them.
  ///
  /// After an error, parsing resumes at the next member or element that starts a line with the usual indentation.
  /// Without such a line, it ends.
  ///
  /// - Returns: The value, and whether it was read to its end; `nil` if nothing can be read.
  static func salvaging(_ bytes: [UInt8], passing streams: Streams) -> (json: JSON, isWhole: Bool)? {
    bytes.withUnsafeBufferPointer { buffer in
      var parser = JSONParser(bytes: buffer, streams: streams, salvages: true)
      guard let json = try? parser.value() else { return nil }
      return (json, !parser.hasFailed)
    }
  }
}
