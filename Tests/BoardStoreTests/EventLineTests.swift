import BoardStore
import CanvasModel
import Testing

@Suite("Event lines")
struct EventLineTests {
  private static func id(_ text: String) throws -> CanvasID { try #require(CanvasID(text)) }

  private func event(_ line: String) throws -> Event { try EventLine(parsing: Array(line.utf8)).event }

  @Test(
    "An event that applies to one canvas is parsed, and requires a valid canvas",
    arguments: ["tap", "select", "preview", "removeClip", "coverRetry", "addCanvas", "removeCanvas"]
  )
  func canvas(_ name: String) throws {
    let c1 = try Self.id("c1")
    let events: [String: Event] = [
      "tap": .tap(c1), "select": .select(c1), "preview": .preview(c1), "removeClip": .removeClip(c1),
      "coverRetry": .coverRetry(c1), "addCanvas": .addCanvas(c1), "removeCanvas": .removeCanvas(c1),
    ]
    #expect(try event(#"{"event":"\#(name)","canvas":"c1"}"#) == events[name])
    for wrong in [#""canvas":7"#, #""canvas":"""#, #""canvas":null"#, #""id":"c1""#] {
      #expect(throws: EventLineError.self) { try event(#"{"event":"\#(name)",\#(wrong)}"#) }
    }
  }

  @Test(
    "An event that applies to the whole board is parsed, and must not name a canvas",
    arguments: [
      "deselect", "stopPreview", "recordPause", "recordResume", "recordStop", "recordDiscard", "undo", "redo",
    ]
  )
  func alone(_ name: String) throws {
    let events: [String: Event] = [
      "deselect": .deselect, "stopPreview": .stopPreview, "recordPause": .recordPause, "recordResume": .recordResume(),
      "recordStop": .recordStop, "recordDiscard": .recordDiscard, "undo": .undo, "redo": .redo,
    ]
    #expect(try event(#"{"event":"\#(name)"}"#) == events[name])
    let error = #expect(throws: EventLineError.self) { try event(#"{"event":"\#(name)","canvas":"c1"}"#) }
    #expect(error?.description == "\(name) has no canvas")
  }

  @Test("An event can be named like its command", arguments: EventName.allCases)
  func commands(_ name: EventName) throws {
    let members = [
      #""canvas":"c1""#, #""canvas":"c1","to":0"#, #""take":"t1""#, #""take":"t1","clip":{"path":"a"}"#,
      #""canvas":"c1","clip":{"path":"a"}"#, #""take":"t1","reason":"x""#,
      #""canvas":"c1","generation":1,"reason":"x""#,
      #""canvas":"c1","generation":1,"cover":{"path":"a"}"#, #""canvas":"c1","generation":1"#,
    ]
    let lines = [""] + members.map { "," + $0 }
    let events = lines.compactMap { try? event(#"{"event":"\#(name.rawValue)"\#($0)}"#) }
    #expect(!events.isEmpty)
    #expect(lines.compactMap { try? event(#"{"event":"\#(name.command)"\#($0)}"#) } == events)
  }

  @Test("The words of a command are those that a person types")
  func words() throws {
    let c1 = try Self.id("c1")
    #expect(try event(#"{"event":"stop-preview"}"#) == .stopPreview)
    #expect(try event(#"{"event":"record start","take":"t1"}"#).name == .recordStart)
    #expect(try event(#"{"event":"canvas move","canvas":"c1","to":2}"#) == .moveCanvas(c1, to: 2))
    #expect(try event(#"{"event":"cover","canvas":"c1"}"#) == .coverRetry(c1))
    #expect(throws: EventLineError.self) { try event(#"{"event":"record"}"#) }
  }

  @Test("Events with takes, clips, covers and positions are parsed")
  func more() throws {
    let (c1, t1) = (try Self.id("c1"), try #require(TakeID("t1")))
    let clip = try #require(ClipFile(path: "a.mp4"))
    let cover = try #require(CoverFile(path: "a.png"))
    let table: [(String, Event)] = [
      (#"{"event":"recordStart","take":"t1","replace":false}"#, .recordStart(take: t1, replace: false)),
      (#"{"event":"recordStart","take":"t1","replace":true}"#, .recordStart(take: t1, replace: true)),
      (#"{"event":"takeFinished","take":"t1","clip":{"path":"a.mp4"}}"#, .takeFinished(t1, clip)),
      (#"{"event":"takeFailed","take":"t1","reason":"…"}"#, .takeFailed(t1, reason: "…")),
      (#"{"event":"importClip","canvas":"c1","clip":{"path":"a.mp4"},"replace":false}"#, .importClip(c1, clip)),
      (#"{"event":"importClip","canvas":"c1","clip":{"path":"a.mp4"}}"#, .importClip(c1, clip)),
      (
        #"{"event":"coverReady","canvas":"c1","generation":3,"cover":{"path":"a.png"}}"#,
        .coverReady(c1, generation: 3, cover)
      ),
      (
        #"{"event":"coverFailed","canvas":"c1","generation":3,"reason":"…"}"#,
        .coverFailed(c1, generation: 3, reason: "…")
      ),
      (#"{"event":"trimClip","canvas":"c1","from":0.8,"to":12}"#, .trimClip(c1, Trim(from: 0.8, to: 12))),
      (#"{"event":"clip trim","canvas":"c1","from":1}"#, .trimClip(c1, Trim(from: 1))),
      (#"{"event":"trimClip","canvas":"c1","to":1.5}"#, .trimClip(c1, Trim(from: 0, to: 1.5))),
      (#"{"event":"trimClip","canvas":"c1"}"#, .trimClip(c1, nil)),
      (#"{"event":"use","canvas":"c1","generation":3}"#, .useTake(c1, generation: 3)),
      (#"{"event":"removeTake","canvas":"c1","generation":3}"#, .removeTake(c1, generation: 3)),
      (#"{"event":"moveCanvas","canvas":"c1","to":0}"#, .moveCanvas(c1, to: 0)),
      (#" {"to":-1,"canvas":"c1","event":"moveCanvas"} "#, .moveCanvas(c1, to: -1)),
    ]
    for (line, expected) in table {
      #expect(try event(line) == expected, "\(line)")
      // An event is written so that it is read as the same event.
      #expect(try event(String(decoding: JSON(expected).line, as: UTF8.self)) == expected, "\(line)")
    }
  }

  @Test(
    "A part of a clip that is empty, crossed, negative or not a number is an error",
    arguments: [
      #""from":2,"to":2"#, #""from":3,"to":2"#, #""from":-1,"to":2"#, #""from":0"#, #""to":0"#, #""to":-1"#,
      #""from":"1""#, #""from":NaN"#, #""from":1e999"#,
    ]
  )
  func parts(_ members: String) {
    #expect(throws: EventLineError.self) { try event(#"{"event":"trimClip","canvas":"c1",\#(members)}"#) }
  }

  @Test("Optional members of files, regions and owners are parsed")
  func details() throws {
    let c1 = try Self.id("c1")
    let clip = ClipFile(path: "a", bytes: 5, mtimeNanoseconds: -1, durationSeconds: 2.5)
    #expect(
      try event(
        #"{"event":"importClip","canvas":"c1","clip":{"path":"a","bytes":5,"mtimeNanoseconds":-1,"durationSeconds":2.5}}"#
      ) == .importClip(c1, try #require(clip))
    )
    let region = try #require(Region(x: 0.5, y: 0, width: 0.5, height: 1))
    #expect(
      try event(#"{"event":"addCanvas","canvas":"c1","region":{"x":0.5,"y":0,"width":0.5,"height":1}}"#)
        == .addCanvas(c1, region)
    )
    #expect(
      try event(
        #"{"event":"recordStart","take":"t1","owner":{"processID":7,"startTicks":8,"bootID":"b"}}"#
      )
        == .recordStart(
          take: try #require(TakeID("t1")),
          owner: Take.Owner(processID: 7, startTicks: 8, bootID: "b")
        )
    )
    let owner = Take.Owner(processID: 7, startTicks: 8, bootID: "b")
    let resume = #"{"event":"recordResume","owner":{"bootID":"b","processID":7,"startTicks":8}}"#
    #expect(try event(resume) == .recordResume(owner: owner))
    #expect(String(decoding: JSON(Event.recordResume(owner: owner)).line, as: UTF8.self) == resume)
    #expect(
      String(decoding: JSON(Event.addCanvas(c1, region)).line, as: UTF8.self)
        == #"{"canvas":"c1","event":"addCanvas","region":{"height":1,"width":0.5,"x":0.5,"y":0}}"#
    )
  }

  @Test("The time of an event is parsed if present")
  func instants() throws {
    let line = try EventLine(parsing: Array(#"{"event":"undo","at":12.5}"#.utf8))
    #expect(line.at == Instant(secondsSince1970: 12.5))
    #expect(try EventLine(parsing: Array(#"{"event":"undo"}"#.utf8)).at == nil)
    #expect(throws: EventLineError.self) { try EventLine(parsing: Array(#"{"event":"undo","at":1e999}"#.utf8)) }
  }

  @Test(
    "An invalid line is reported with the problem",
    arguments: [
      (#"{"event":"explode"}"#, "event is \"explode\", not one of tap"),
      (#"{"canvas":"c1"}"#, "event is missing"), (#"[]"#, "the document is not an object"),
      ("tap c1", "expected a value at line 1"),
      (#"{"event":"tap"}"#, "canvas is missing"), (#"{"event":"tap","canvas":"c1","colour":1}"#, "tap has no colour"),
      (#"{"event":"tap","canvas":"c1","canvas":"c2"}"#, "duplicate member \"canvas\""),
      (#"{"event":"recordStart","replace":true}"#, "take is missing"),
      (#"{"event":"recordStart","take":"t","replace":1}"#, "replace is neither true nor false"),
      (#"{"event":"takeFinished","take":"t","clip":{}}"#, "clip.path is missing"),
      (#"{"event":"takeFinished","take":"t","clip":{"path":""}}"#, "clip has an empty path"),
      (#"{"event":"coverReady","canvas":"c1","generation":-1,"cover":{"path":"a"}}"#, "generation is below 0"),
      (#"{"event":"coverReady","canvas":"c1","generation":1.5,"cover":{"path":"a"}}"#, "is not a whole number"),
      (#"{"event":"moveCanvas","canvas":"c1","to":9223372036854775808}"#, "to is not a whole number"),
      (
        #"{"event":"addCanvas","canvas":"c1","region":{"x":0.6,"y":0,"width":0.5,"height":1}}"#,
        "region does not lie inside 0…1"
      ),
    ]
  )
  func wrong(_ line: String, _ words: String) {
    let error = #expect(throws: EventLineError.self) { try event(line) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("Outcomes of events and the state of a board are encoded as JSON")
  func answers() throws {
    var board = Board(columns: 2, rows: 1)
    func answer(_ line: String) throws -> JSON {
      let time = try #require(Instant(secondsSince1970: 0))
      let answer = JSON(board.apply(try event(line), at: time))
      #expect(try JSON(parsing: answer.line) == answer)
      return answer
    }
    func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }
    #expect(
      try answer(#"{"event":"tap","canvas":"c1"}"#)
        == json(
          #"""
          {"outcome":"changed","revision":1,"changes":[{"canvas":"c1","key":"isSelected","old":false,"new":true},
          {"canvas":"c1","key":"status","old":"noPreview","new":"inPreview"},
          {"key":"session","old":"idle","new":"previewing"}]}
          """#
        )
    )
    #expect(
      try JSON(stateOf: board)
        == json(
          #"""
          {"session":"previewing","focus":"c1","canvases":[{"id":"c1","isSelected":true,"status":"inPreview",
          "shows":"preview","generation":null,"cover":"none"},{"id":"c2","isSelected":false,"status":"noPreview",
          "shows":"plus","generation":null,"cover":"none"}]}
          """#
        )
    )
    #expect(try answer(#"{"event":"preview","canvas":"c1"}"#) == json(#"{"outcome":"noop","reason":"already"}"#))
    #expect(try answer(#"{"event":"recordStop"}"#) == json(#"{"outcome":"refused","reason":"notRecording"}"#))
    #expect(try answer(#"{"event":"tap","canvas":"c9"}"#) == json(#"{"outcome":"refused","reason":"unknownCanvas"}"#))
  }
}
