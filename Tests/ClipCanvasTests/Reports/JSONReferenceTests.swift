import FoundationEssentials
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("JSON schemas and their manual page")
struct JSONReferenceTests {
  private static let schemas = ProjectFolder.top.appending("Packaging/schemas")

  @Test(
    "The schemas are valid, and so are their examples",
    .enabled(if: SchemaValidator.isHere, "\(SchemaValidator.absence)")
  )
  func schemas() async throws {
    let result = try await Program.runTool("python3", [SchemaValidator.script.string, "--check"])
    #expect(result.exitStatus == 0 && result.text.isEmpty, "\(result.text)\(result.errorOutput)")
  }

  @Test(
    "A record with an undocumented member, without a needed one, or with a wrong value is not valid",
    .enabled(if: SchemaValidator.isHere, "\(SchemaValidator.absence)"),
    arguments: [
      (#""status":"fresh""#, #""status":"fresh","new":1"#), (#""uri":"#, #""URI":"#), (#""height":1,"#, ""),
      (#""width":1"#, #""width":0"#), (#""width":1"#, #""width":"1""#), (#""status":"fresh""#, #""status":"stale""#),
      (#""clip":{"#, #""clip":{"inode":5,"#), (#""height":1,"#, #""height":1,"codec":"h264","#),
      (#""status":"fresh""#, #""status":"failed""#), (#""height":1,"#, #""height":1,"height":1,"#),
    ]
  )
  func wrongRecords(_ part: String, _ other: String) async throws {
    let right =
      #"{"clip":{"path":"a","uri":"file:///a"},"cover":"b","height":1,"requestedTime":"first","status":"fresh","width":1}"#
    let wrong = right.replacing(part, with: other)
    try #require(wrong != right)
    for schema in ["cover", "batch", "any"] {
      #expect(try await SchemaValidator.shared.problems(of: [right], schema: schema) == [])
      #expect(try await SchemaValidator.shared.problems(of: [wrong, right], schema: schema).count == 1)
    }
  }

  @Test(
    "A run fails its test if it prints a record that is not valid",
    .enabled(if: SchemaValidator.isHere, "\(SchemaValidator.absence)")
  )
  func invalidOutput() async throws {
    let line = #"{"clip":{"path":"a","uri":"file:///a"},"new":1,"requestedTime":"first","status":"fresh"}"#
    let result = ProgramResult(status: .exited(0), output: Array((line + "\n").utf8), errorOutput: "")
    await #expect(throws: SchemaValidator.InvalidJSON.self) {
      try await OutputCheck.check(result, of: ["cover", "--json", "a"], in: nil)
    }
    let unknown = ProgramResult(status: .exited(0), output: Array("{\"new\":1}\n".utf8), errorOutput: "")
    await #expect(throws: SchemaValidator.InvalidJSON.self) {
      try await OutputCheck.check(unknown, of: ["new-command", "--json"], in: nil)
    }
  }

  @Test(
    "A document is not valid if only one part of it was not in a valid document before",
    .enabled(if: SchemaValidator.isHere, "\(SchemaValidator.absence)")
  )
  func validParts() async throws {
    let board = try await TestBoard()
    let right = String(decoding: try board.bytes, as: UTF8.self)
    // The first is valid; then the same canvases are in a document that is not valid, or one of them is not.
    let changes = [
      ("", ""), ("\"schemaVersion\": 1,", "\"schemaVersion\": 1, \"new\": 1,"), ("\"width\": 0.5", "\"width\": -0.5"),
      ("\"id\": \"c2\"", "\"id\": 2"), ("\"id\": \"c2\"", "\"id\": \"c2\", \"new\": 1"), ("\"region\":", "\"Region\":"),
    ]
    let validator = SchemaValidator()
    for (part, other) in changes + [("", "")] {
      let text = part.isEmpty ? right : right.replacing(part, with: other)
      #expect(text != right || part.isEmpty, "\(part) is not in \(right)")
      #expect(try await validator.problems(of: [text], schema: "board").isEmpty == part.isEmpty, "\(other)")
    }
    // What is valid as one thing is not as another.
    #expect(try await validator.problems(of: [right], schema: "board-state").count == 1)
  }

  @Test("A validator that has ended fails its test, and the next test starts another one", .enabled(if: Scope.isFull))
  func endedValidator() async throws {
    let scratch = try ScratchFolder()
    let answer = "import sys\nsys.stdin.readline()\nprint('[]', flush=True)\n"
    // One reads its first request and ends; one ends at once, so that requests cannot even be written.
    for (name, text) in [("one.py", answer), ("none.py", "")] {
      let script = try scratch.write(text.utf8, as: name)
      let validator = SchemaValidator(script: script)
      var answers = 0
      var failures = 0
      for _ in 1...20 {
        do {
          answers +=
            try await validator.problems(of: [String(repeating: " ", count: 1_000_000)], schema: "cover").isEmpty
            ? 1 : 0
        } catch is SchemaValidator.InvalidJSON {
          failures += 1
        }
      }
      #expect(answers == (text.isEmpty ? 0 : 10) && failures == 20 - answers, "\(name)")
    }
  }

  @Test(
    "A reference to a schema that does not exist is reported, and not looked up on the network",
    .enabled(if: Scope.isFull),
    .enabled(if: SchemaValidator.isHere, "\(SchemaValidator.absence)")
  )
  func unknownReference() async throws {
    let program = """
      import socket, sys
      sys.path.insert(0, sys.argv[1])
      import validate
      with socket.create_server(("127.0.0.1", 0)) as server:
          server.setblocking(False)
          address = f"http://127.0.0.1:{server.getsockname()[1]}/schema"
          whole = {"$id": "https://clipcanvas.invalid/schemas/a", "$ref": address}
          socket.setdefaulttimeout(1)
          try:
              list(validate.validator(whole, []).iter_errors({}))
          except Exception as error:
              print("refused" if address in str(error) else error)
          try:
              server.accept()
              print("the network was asked")
          except BlockingIOError:
              pass
      """
    let folder = SchemaValidator.script.removingLastComponent().string
    let result = try await Program.runTool("timeout", ["30", Program.python.string, "-B", "-c", program, folder])
    #expect(result.text == "refused\n", "\(result.text)\(result.errorOutput)")
  }

  @Test(
    "The JSON in the documentation is valid",
    .enabled(if: SchemaValidator.isHere, "\(SchemaValidator.absence)"),
    arguments: [
      "Sources/Covers/Covers.docc/Records.md", "Sources/BoardStore/BoardStore.docc/EventLines.md",
      "Sources/BoardStore/BoardStore.docc/BoardDocumentFormat.md",
      "Sources/ClipService/ClipService.docc/RunningBatches.md",
    ]
  )
  func documents(_ path: String) async throws {
    let text = String(decoding: try ScratchFolder.read(ProjectFolder.top.appending(path)), as: UTF8.self)
    let examples = Self.objects(in: text)
    #expect(!examples.isEmpty)
    try await OutputCheck.check(examples, schema: "any", path)
  }

  /// Returns the JSON objects that start on a separate line, up to the brace that closes them.
  private static func objects(in text: String) -> [String] {
    var objects: [String] = []
    var open: (indent: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = String(line.prefix { $0 == " " })
      let content = line.dropFirst(indent.count)
      if open != nil {
        open?.lines.append(content)
        if content == "}", indent == open?.indent {
          objects.append(open?.lines.joined(separator: "\n") ?? "")
          open = nil
        }
      } else if content == "{" {
        open = (indent, [content])
      } else if content.hasPrefix("{\""), content.hasSuffix("}") {
        objects.append(String(content))
      }
    }
    return objects
  }

  // MARK: - The page

  @Test(
    "clipcanvas-json(5) describes the members of the schemas and no others, and mandoc reports no problems",
    .enabled(if: Scope.isFull)
  )
  func page() async throws {
    let scratch = try ScratchFolder()
    let made = try await Program.runTool(
      "env",
      [
        ProjectFolder.top.appending("Packaging/reference.py").string, "--date", "2026-02-01", Self.schemas.string,
        scratch.path.string,
      ]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let file = scratch("clipcanvas-json.5")
    let lint = try await Program.runTool("mandoc", ["-Tlint", "-Wall", file.string])
    #expect(lint.exitStatus == 0 && lint.text.isEmpty, "\(lint.text)")
    let text = String(decoding: try ScratchFolder.read(file), as: UTF8.self)
    let described = text.matches(of: /(?m)^\.TP\n\\fB(?:[A-Za-z0-9\[\].]*\.)?([A-Za-z0-9]+)\\fR \(/)
    let onPage = Set(described.map { String($0.output.1) })
    var inSchemas: Set<String> = []
    var texts: Set<String> = []
    for name in try ScratchFolder.names(in: Self.schemas) {
      let schema = try JSONValue(try ScratchFolder.read(Self.schemas.appending(name)))
      inSchemas.formUnion(schema.describedMembers.map(\.name))
      texts.formUnion(schema.describedMembers.map(\.text))
    }
    #expect(onPage == inSchemas)
    #expect(inSchemas.count > 150)
    // The words may be wrapped and typed in bold, so only their letters are compared.
    let letters = String(text.replacing(/\\f[BIR]|\\%|\\\(aq|\\\(ti|\\e|\\&/, with: "").filter(\.isLetter))
    for text in texts {
      #expect(letters.contains(text.filter(\.isLetter)), "\(text)")
    }
  }
}

/// JSON of any shape.
private enum JSONValue: Decodable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case other

  init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let object = try? container.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = .other
    }
  }

  private subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The members that a schema describes, with their descriptions.
  ///
  /// A condition only names members, and an example is not a schema.
  var describedMembers: [(name: String, text: String)] {
    switch self {
    case .object(let object):
      object.flatMap { key, value -> [(name: String, text: String)] in
        guard !["if", "not", "examples"].contains(key) else { return [] }
        guard key == "properties", case .object(let members) = value else { return value.describedMembers }
        return members.flatMap { name, member -> [(name: String, text: String)] in
          guard case .string(let text) = member["description"] else { return member.describedMembers }
          return [(name, text)] + member.describedMembers
        }
      }
    case .array(let array): array.flatMap(\.describedMembers)
    case .string, .other: []
    }
  }
}
