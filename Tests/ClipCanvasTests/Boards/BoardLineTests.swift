import SystemPackage
import TestSupport
import Testing

@Suite("Events on standard input")
struct BoardLineTests {
  private static let lines = [
    #"{"event":"tap","canvas":"c1"}"#, #"{"event":"recordStart","take":"t1"}"#, #"{"event":"recordPause"}"#,
    #"{"event":"recordStop"}"#, #"{"event":"takeFinished","take":"t1","clip":{"path":"a.mp4"}}"#,
    #"{"event":"moveCanvas","canvas":"c1","to":2}"#,
  ]

  @Test("If any event is refused, none is applied", .enabled(if: Scope.isFull), arguments: 0...6)
  func allOrNothing(_ place: Int) async throws {
    let board = try await TestBoard()
    let old = try board.bytes
    var lines = Self.lines
    lines.insert(#"{"event":"tap","canvas":"nowhere"}"#, at: place)
    let result = try await board.send(lines.joined(separator: "\n"), to: "apply")
    #expect(result.exitStatus == 3)
    #expect(result.text == #"{"line":\#(place + 1),"outcome":"refused","reason":"unknownCanvas"}"# + "\n")
    #expect(try board.bytes == old)
    lines[place] = #"{"event":"tap","canvas":"c1","color":1}"#
    let wrong = try await board.send(lines.joined(separator: "\n"), to: "apply")
    #expect(wrong.exitStatus == 64)
    #expect(wrong.errorOutput == "clipcanvas: line \(place + 1) of standard input is not an event: tap has no color\n")
    #expect(try board.bytes == old)
  }

  @Test("`apply` makes one revision and one undo step", .enabled(if: Scope.isFull))
  func oneStep() async throws {
    let board = try await TestBoard()
    let result = try await board.send(Self.lines.joined(separator: "\n"), to: "apply")
    #expect(result.exitStatus == 0)
    #expect(try AnswerRecord(result.text).revision == 1)
    #expect(try board.record.canvases.map(\.id) == ["c2", "c3", "c1", "c4"])
    #expect(try board.record.canvases[2].clip?.path == "a.mp4")
    try await board.done("undo")
    #expect(try board.record.canvases.map(\.id) == ["c1", "c2", "c3", "c4"])
    #expect(try board.record.session == "idle" && board.record.revision == 2)
  }

  @Test("Empty lines and empty input are accepted, and undo or redo must be the only event")
  func oddInput() async throws {
    let board = try await TestBoard()
    let none = try await board.send("\n  \r\n", to: "apply")
    #expect(none.exitStatus == 0 && none.text == #"{"outcome":"noop","reason":"already"}"# + "\n")
    let undo = try await board.send(#"{"event":"undo"}"# + "\n" + Self.lines[0], to: "apply")
    #expect(
      undo.exitStatus == 64
        && undo.errorOutput.contains("line 1 of standard input: undo cannot be combined with other events")
    )
    let last = try await board.send("\n\r\n" + Self.lines[0] + "\r\n\n", to: "apply")
    #expect(last.exitStatus == 0)
    #expect(try board.record.revision == 1)
    let closed = try await Program.runTool(
      "bash",
      ["-c", "exec \"$@\" <&-", "-", ProjectFolder.program("clipcanvas").string] + board.arguments(["apply"])
    )
    #expect(
      closed.exitStatus == 2 && closed.errorOutput.contains("cannot read standard input"),
      "\(closed.errorOutput)"
    )
  }

  @Test("`simulate` answers each event up to the first invalid line and writes nothing")
  func simulate() async throws {
    let board = try await TestBoard()
    let old = try board.bytes
    let names = try board.scratch.names()
    let input =
      (Self.lines.prefix(2) + [#"{"event":"tap","canvas":"c2"}"#, #"{"event":"recordStart","take":"t2"}"#, "{", "x"])
      .joined(separator: "\n")
    let result = try await board.send(input, to: "simulate")
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.hasPrefix("clipcanvas: line 5 of standard input is not an event: "))
    let answers = try result.text.split(separator: "\n").map { try AnswerRecord($0) }
    #expect(answers.map(\.outcome) == ["changed", "changed", "noop", "refused"])
    #expect(answers.map(\.reason) == [nil, nil, "locked", "locked"])
    #expect(try board.bytes == old && board.scratch.names() == names)
    let states = try await Program.run(
      "clipcanvas",
      ["board", "simulate", "--canvases", "2", "--states"],
      input: Self.lines[0]
    )
    #expect(
      states.text.contains(
        #""state":{"canvases":[{"cover":"none","generation":null,"id":"c1","isSelected":true,"shows":"preview","status":"inPreview"}"#
      )
    )
    #expect(states.text.contains(#""focus":"c1","session":"previewing"}"#))
  }

  @Test("Events with extreme values are answered without a crash", .enabled(if: Scope.isFull))
  func edges() async throws {
    let high = "9223372036854775807"
    let lines = [
      #"{"event":"moveCanvas","canvas":"c1","to":\#(high)}"#, #"{"event":"moveCanvas","canvas":"c1","to":-\#(high)}"#,
      #"{"event":"coverReady","canvas":"c1","generation":9007199254740992,"cover":{"path":"a"}}"#,
      #"{"event":"tap","canvas":"c1","at":-1.7976931348623157e308}"#,
      #"{"event":"recordStart","take":"t","at":1.7976931348623157e308,"owner":{"processID":\#(high),"startTicks":\#(high),"bootID":""}}"#,
      #"{"event":"recordPause","at":-1.7976931348623157e308}"#, #"{"event":"recordStop"}"#,
      #"{"event":"takeFinished","take":"t","clip":{"path":"a","bytes":\#(high),"mtimeNanoseconds":-\#(high),"durationSeconds":1e308}}"#,
      #"{"event":"addCanvas","canvas":"\#(String(repeating: "é", count: 10_000))","region":{"x":0,"y":0,"width":5e-300,"height":1}}"#,
    ]
    let result = try await Program.run(
      "clipcanvas",
      ["board", "simulate", "--canvases", "2"],
      input: lines.joined(separator: "\n")
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(result.text.split(separator: "\n").count == lines.count)
    let board = try await TestBoard()
    for line in lines {
      let result = try await board.send(line, to: "apply")
      #expect([0, 3].contains(result.exitStatus), "\(line) \(result.errorOutput)")
    }
    try await board.done("log")
    try await board.done("tap", "c2")
  }

  @Test("A change beyond the highest revision is refused and leaves the board unchanged")
  func lastRevision() async throws {
    let board = try await TestBoard()
    let text = String(decoding: try board.bytes, as: UTF8.self)
    let last = text.replacing("\"revision\": 0", with: "\"revision\": 9007199254740991")
    try ScratchFolder.write(last.utf8, to: board.path)
    try await board.done("tap", "c1")
    let bytes = try board.bytes
    let result = try await board.run("tap", "c2")
    #expect(result.exitStatus == 2 && result.errorOutput.contains("was not changed"), "\(result.errorOutput)")
    #expect(try board.bytes == bytes)
  }
}
