import BoardStore
import SystemPackage
import TestSupport
import Testing

/// Texts rewritten after the categories of the public JSONTestSuite: `y_` (must be accepted) and `n_` (must be
/// rejected).
enum JSONKinds {
  static let read: [[UInt8]] =
    [
      "[]", "[ ]", "{}", " [1] ", "\t\r\n[1]\n", "[[]]", "[[[[]],[]]]", "null", "true", "false", "0", "\"\"", "\"a\"",
      "[null]", "[false]", "[null,1,\"1\",{}]", "[1,null,null,null,2]", "[2] ", "[0]", "[-0]", "[-1]", "[-123]",
      "[123]", "[123.456789]", "[-0.0000000000000000000000000000000000000000000000001]", "[0e+1]", "[0e1]", "[1E22]",
      "[1E-2]", "[1E+2]", "[1e-2]", "[123e65]", "[123e45]", "[123.456e78]", "[0.5]", "[20e1]",
      "[123456789012345678901234567890]", "[1e999999]", "[-9223372036854775809]", "[1.000000000000000000000000001]",
      "{\"a\":\"b\"}", "{\"a\":[]}", "{\"\":0}", "{\"b\":1,\"a\":2}", "{\"min\":-1.0e+28,\"max\":1.0e+28}",
      "{\"a\":{\"a\":{\"a\":1}}}", "{\"a\\u0000b\":1}", "{\n\"a\":\"b\"\n}", "{\"a\":1,\"A\":2,\"\u{e4}\":3}",
      "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]",
      "[\"\\ud83d\\ude39x\"]",
      "[\"\\u0000\"]", "[\"\\uFFFF\"]", "[\"\\uDBFF\\uDFFF\"]", "[\"\\u005C\\u0022\"]", "[\"a/*b*/c/*d//e\"]",
      "[\"\u{20ac}\u{1d11e}\"]", "[\"\u{2028}\u{2029}\"]", "[\"\u{feff}\"]", "[\"\u{10ffff}\"]", "[\"\u{7f}\"]",
      "[\" \"]", "[\"\\\\n\"]", "[\"e\u{301}\",\"\u{e9}\"]", "{\"e\u{301}\":1,\"\u{e9}\":2}",
    ].map { Array($0.utf8) }
    + [
      nested(128, "[", "]"), nested(128, "{\"a\":", "}", inner: "1"),
      Array("[\"".utf8) + many("x", 70_000) + Array("\"]".utf8),
    ]

  static let refused: [[UInt8]] =
    [
      "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[,]", "[\"x\"]]", "[1]x", "[1 true]", "[a]",
      "[\"\": 1]", "[\"\"],", "[1:2]", "[x", "[3[4]]", "[*]", "1 2", "{}{}", "nul", "nulL", "tru", "True", "[nul]",
      "[fals]", "{1:1}", "{a:\"b\"}", "{'a':0}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1,,\"b\":2}", "{\"a\" 1}",
      "{\"a\":\"b\"}/**/", "{\"a\":1 \"b\":2}", "{,}", "{\"a\":1,1}", "{\"a\"::1}", "[+1]", "[--1]", "[-]", "[-a]",
      "[01]",
      "[-012]", "[-01]", "[.5]", "[-.5]", "[2.]", "[2.e3]", "[0.e1]", "[1e]", "[1e+]", "[1E]", "[0e]", "[1.0e-]",
      "[1eE2]", "[1+2]", "[0x1]", "[1 000]", "[NaN]", "[Infinity]", "[-Infinity]", "[inf]", "[1e1.0]", "[1a]", "[1.2a]",
      "[\"\\x00\"]", "[\"\\a\"]", "[\"\\", "[\"\\\"]", "[\"\\u\"]", "[\"\\u00A\"]", "[\"\\u00G0\"]", "[\"\\U0041\"]",
      "[\"\\uD800\"]", "[\"\\uD800\\n\"]", "[\"\\uD800\\u0041\"]", "[\"\\uDC00\"]", "[\"\\uDC00\\uD800\"]",
      "[\"\\uD800x\"]",
      "[\"a\nb\"]", "[\"a\tb\"]", "[\"a\0b\"]", "[\"a", "\"", "'a'", "[\"\\ud83d\\ude3\"]", "[\u{2060}]", "[\u{a0}1]",
      "[\u{c}]", "[1]\0", "\0", "\u{feff}[]", "{\"a\":1,\"a\":1}", "{\"b\":1,\"a\":2,\"b\":3}",
      "{\"a\":1,\"\\u0061\":2}", "// a\n[]", "/**/[]", "[1]//", "\u{ff11}", "[\u{ff11}]", "[1\u{660}]", "<null>",
      "[\"a\"b]",
    ].map { Array($0.utf8) }
    + [
      bytes(0x22, 0xFF, 0x22), bytes(0x22, 0xC0, 0xAF, 0x22), bytes(0x22, 0xE0, 0x80, 0xAF, 0x22),
      bytes(0x22, 0xED, 0xA0, 0x80, 0x22), bytes(0x22, 0xF4, 0x90, 0x80, 0x80, 0x22), bytes(0x22, 0xC3, 0x22),
      bytes(0x22, 0x80, 0x22), bytes(0x5B, 0xE9, 0x5D), bytes(0xFF, 0xFE, 0x5B, 0, 0x5D, 0), bytes(0, 0x5B, 0, 0x5D),
      bytes(0x7B, 0x22, 0xB9, 0x22, 0x3A, 0x31, 0x7D), bytes(0x22, 0x5C, 0xE5, 0x22),
      bytes(0x22, 0x5C, 0x75, 0xE5, 0x22),
    ] + controls.map { bytes(0x22, $0, 0x22) } + controls.map { bytes(0x22, 0x5C, 0x6E, $0, 0x22) }

  /// The control characters, which must be escaped in a string.
  private static let controls: ClosedRange<UInt8> = 0...0x1F

  /// Texts that other parsers accept, but that are nested too deeply for a board.
  static let tooDeep = [
    nested(129, "[", "]"), nested(100_000, "[", "]"), many("[", 100_000), nested(100_000, "{\"a\":", "}", inner: "1"),
    many("[{\"\":", 100_000),
  ]

  static func nested(_ depth: Int, _ start: String, _ end: String, inner: String = "") -> [UInt8] {
    many(start, depth) + Array(inner.utf8) + many(end, depth)
  }

  static func many(_ text: String, _ count: Int) -> [UInt8] { Array(String(repeating: text, count: count).utf8) }

  private static func bytes(_ bytes: UInt8...) -> [UInt8] { bytes }
}

@Suite("JSON parsing")
struct JSONKindsTests {
  @Test("JSON that is valid according to RFC 8259 is accepted", arguments: JSONKinds.read)
  func read(_ text: [UInt8]) throws {
    _ = try JSON(parsing: text)
  }

  @Test("JSON that is invalid according to RFC 8259 or has duplicate names is rejected", arguments: JSONKinds.refused)
  func refused(_ text: [UInt8]) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test("JSON nested deeper than 128 levels is rejected without a stack overflow")
  func tooDeep() {
    for text in JSONKinds.tooDeep {
      let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
      #expect(error?.what == "more than 128 levels")
    }
  }

  @Test("As many values as allowed are parsed, and one more is refused", .enabled(if: Scope.isFull))
  func tooMany() throws {
    func list(_ count: Int) -> [UInt8] { Array("[\(String(repeating: "1,", count: count - 1))1]".utf8) }
    #expect(try JSON(parsing: list(JSON.maximumValues - 1)).line.count == 2 * JSON.maximumValues - 1)
    let error = #expect(throws: JSONError.self) { try JSON(parsing: list(JSON.maximumValues)) }
    #expect(error?.what == "more than 500000 values")
  }

  @Test("Of two members with the same name, the second is named by an error")
  func duplicate() throws {
    let text = #"{"b":1,"a":{"b":1},"b":2}"#
    let error = #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
    #expect(error?.description == "duplicate member \"b\" at line 1, column 20")
  }

  @Test("An error contains the line and the column in bytes")
  func place() {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: Array("{\n  \"ä\": x\n}".utf8)) }
    #expect(error?.description == "expected a value at line 2, column 9")
  }

  @Test(
    "An object with many unsorted names is parsed in reasonable time, and a duplicate name is found",
    .enabled(if: Scope.isFull)
  )
  func manyNames() throws {
    let names = (0..<30_000).map { "\"k\(30_000 - $0)\":\($0)" }
    let time = try ThreadTime.measure {
      let object = try JSON(parsing: Array("{\(names.joined(separator: ","))}".utf8))
      #expect(object["k1"] == .number("29999"))
      #expect(throws: JSONError.self) {
        try JSON(parsing: Array("{\((names + names.prefix(1)).joined(separator: ","))}".utf8))
      }
    }
    #expect(time < .seconds(20))
  }

  /// Compares the JSON parsed and written by `clipcanvas` with Python's parser, made strict.
  @Test(
    "Valid, invalid and randomly damaged JSON is read as by Python's parser, and written with the same meaning",
    .enabled(if: Scope.isFull)
  )
  func secondOpinion() async throws {
    let scratch = try ScratchFolder()
    let texts = JSONKinds.read + JSONKinds.refused + damaged(LongForm.isWanted ? 100_000 : 3000)
    let lines = texts.map { text in
      let ours = try? JSON(parsing: text)
      return [text, ours?.line, ours?.document].map { $0.map(hex) ?? "-" }.joined(separator: " ")
    }
    let list = try scratch.write((lines.joined(separator: "\n") + "\n").utf8, as: "texts")
    let script = try scratch.write(Self.python.utf8, as: "judge.py")
    let result = try await Program.runTool("python3", [script.string, list.string])
    #expect(result.exitStatus == 0 && result.text == "\(texts.count) agree\n", "\(result.text) \(result.errorOutput)")
  }

  private func damaged(_ count: Int) -> [[UInt8]] {
    var numbers = SeededNumbers(seed: 8259)
    let sources = JSONKinds.read.filter { !$0.isEmpty && $0.count < 400 }
    let marks = Array("{}[],:\"\\u0019eE+-. \n\u{7f}dD8tfn".utf8) + [0, 0xFF, 0xC3, 0xED]
    return (0..<count).map { _ in
      var text = sources.randomElement(using: &numbers) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        let place = Int.random(in: 0...text.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: text.insert(marks.randomElement(using: &numbers) ?? 0, at: place)
        case 1: if place < text.count { text.remove(at: place) }
        default: text = Array(text.prefix(place)) + (sources.randomElement(using: &numbers) ?? []).suffix(4)
        }
      }
      return text
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.isEmpty ? "." : bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static let python = #"""
    import json, sys
    def pairs(members):
        names = [name for name, _ in members]
        if len(set(names)) < len(names): raise ValueError("twice")
        return dict(members)
    def constant(word): raise ValueError(word)
    # Numbers as they are written, marked by a tuple to distinguish them from texts.
    def number(digits): return ("number", digits)
    def read(data):
        text = data.decode("utf-8", "strict")
        if text.startswith("\ufeff"): raise ValueError("mark")
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_int=number, parse_float=number)
        json.dumps(value, ensure_ascii=False).encode("utf-8", "strict")
        return value
    agree = 0
    for index, line in enumerate(open(sys.argv[1])):
        text, ours, document = (None if field == "-" else bytes.fromhex(field.strip(".")) for field in line.split())
        try: theirs = (read(text),)
        except (ValueError, RecursionError) as error: theirs = None
        if (theirs is None) != (ours is None): print(index, text, "read by", "them" if theirs else "us")
        elif theirs and (read(ours), read(document)) != theirs * 2: print(index, text, "written as", ours)
        else: agree += 1
    print(agree, "agree")
    """#
}
