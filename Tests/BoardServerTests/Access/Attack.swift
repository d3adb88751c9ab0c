/// A request that must be refused.
struct Attack: Sendable {
  /// What is sent, as the documentation of the server has it.
  let name: String
  /// The status of the answer.
  let status: Int
  let request: @Sendable (TestServer) -> TestRequest

  init(_ name: String, _ status: Int, _ request: @escaping @Sendable (TestServer) -> TestRequest) {
    (self.name, self.status, self.request) = (name, status, request)
  }

  /// An attack on the page's request for the board, by other headers.
  static func reading(_ name: String, _ status: Int, _ headers: [String: String?]) -> Attack {
    Attack(name, status) { server in
      headers.reduce(server.request("GET", "/board")) { $0.with($1.key, $1.value) }
    }
  }

  /// An attack on the page's request to change the board, by other headers.
  static func writing(_ name: String, _ status: Int, _ headers: [String: String?]) -> Attack {
    Attack(name, status) { server in
      headers.reduce(server.events(#"{"event":"tap","canvas":"c1"}"#)) { $0.with($1.key, $1.value) }
    }
  }

  /// An attack by events.
  static func event(_ lines: String, _ status: Int, name: String? = nil) -> Attack {
    let code = lines.split(separator: "\n").map { "`\($0)`" }.joined(separator: ", then ")
    return Attack(name ?? code, status) { $0.events(lines) }
  }

  /// An attack by a path.
  static func path(_ path: String, _ status: Int = 404) -> Attack {
    Attack("`GET \(path)`", status) { $0.request("GET", path) }
  }
}

// MARK: - All attacks

extension Attack {
  static let withoutPermission = [
    reading("no cookie", 401, ["Cookie": nil]),
    reading("an empty cookie", 401, ["Cookie": ""]),
    Attack("a wrong cookie", 401) { $0.request("GET", "/board", ["Cookie": String($0.cookie.dropLast()) + "!"]) },
    Attack("the start of the cookie", 401) { $0.request("GET", "/board", ["Cookie": String($0.cookie.dropLast())]) },
    Attack("the cookie of another port", 401) {
      $0.request("GET", "/board", ["Cookie": "clipcanvas-1=" + ($0.cookie.split(separator: "=").last ?? "")])
    },
    Attack("the token for changes as a cookie", 401) {
      $0.request("GET", "/board", ["Cookie": "clipcanvas-\($0.port)=\($0.token)"])
    },
    Attack("no cookie for the changes", 401) { $0.request("GET", "/changes").with("Cookie", nil) },
    Attack("no cookie for a cover", 401) { $0.request("GET", "/covers/c1/1").with("Cookie", nil) },
    Attack("no cookie for a clip", 401) { $0.request("GET", "/clips/c1/1").with("Cookie", nil) },
    Attack("a wrong token at the entrance", 401) { $0.request("GET", "/?token=\(String(repeating: "a", count: 32))") },
    Attack("an empty token at the entrance", 401) { $0.request("GET", "/?token=") },
    Attack("the token for changes at the entrance", 401) { $0.request("GET", "/?token=\($0.token)") },
    writing("only the cookie", 401, ["X-ClipCanvas-Token": nil]),
    writing("an empty token", 401, ["X-ClipCanvas-Token": ""]),
    Attack("the cookie's value as the token", 401) {
      $0.events(#"{"event":"deselect"}"#).with(
        "X-ClipCanvas-Token",
        $0.cookie.split(separator: "=").last.map(String.init)
      )
    },
    Attack("the printed token as the token for changes", 401) {
      $0.events(#"{"event":"deselect"}"#).with("X-ClipCanvas-Token", $0.entry)
    },
    Attack("a recording without a token", 401) {
      TestUpload.takeRequest(on: $0).with("X-ClipCanvas-Token", nil)
    },
    Attack("the size of an upload without a token", 401) {
      $0.request("HEAD", "/uploads/take-t1-1", TestUpload.version).with("X-ClipCanvas-Token", nil)
    },
    Attack("the size of an upload at another path without a token", 401) {
      $0.request("HEAD", "//uploads/take-t1-1", TestUpload.version).with("X-ClipCanvas-Token", nil)
    },
  ]

  static let fromElsewhere = [
    reading("a foreign name", 421, ["Host": "evil.example"]),
    reading("the address without the port", 421, ["Host": "127.0.0.1"]),
    reading("another port", 421, ["Host": "127.0.0.1:1"]),
    Attack("a name that begins like ours", 421) {
      $0.request("GET", "/board", ["Host": "localhost:\($0.port).evil.example"])
    },
    Attack("a user before our name", 421) { $0.request("GET", "/board", ["Host": "evil@127.0.0.1:\($0.port)"]) },
    Attack("a foreign name at the entrance", 421) {
      $0.request("GET", "/?token=\($0.entry)", ["Host": "evil.example"])
    },
    Attack("the page under a foreign name", 421) { $0.request("GET", "/", ["Host": "evil.example"]) },
    reading("a foreign page", 403, ["Sec-Fetch-Site": "cross-site"]),
    reading("a page of another port", 403, ["Sec-Fetch-Site": "same-site"]),
    reading("the address bar", 403, ["Sec-Fetch-Site": "none"]),
    Attack("a picture on a foreign page", 403) { $0.request("GET", "/covers/c1/1", ["Sec-Fetch-Site": "cross-site"]) },
    Attack("a link on a foreign page", 403) { $0.request("GET", "/", ["Sec-Fetch-Site": "cross-site"]) },
    writing("no origin", 403, ["Origin": nil]),
    writing("a foreign origin", 403, ["Origin": "http://evil.example"]),
    writing("a hidden origin", 403, ["Origin": "null"]),
    Attack("the origin of TLS", 403) { $0.events(#"{"event":"deselect"}"#).with("Origin", "https://\($0.host)") },
    Attack("the origin of another port", 403) {
      $0.events(#"{"event":"deselect"}"#).with("Origin", "http://127.0.0.1:1")
    },
    Attack("an origin that begins like ours", 403) {
      $0.events(#"{"event":"deselect"}"#).with("Origin", $0.origin + ".evil.example")
    },
    writing("a change from a foreign page", 403, ["Sec-Fetch-Site": "cross-site"]),
    writing("a change from the address bar", 403, ["Sec-Fetch-Site": "none"]),
    Attack("the size of an upload for a foreign page", 403) {
      $0.request("HEAD", "/uploads/take-t1-1", TestUpload.version).with("Origin", "http://evil.example")
    },
  ]

  static let events = [
    event(#"{"event":"importClip","canvas":"c1","clip":{"path":"/etc/passwd"}}"#, 403),
    event(#"{"event":"takeFinished","take":"t1","clip":{"path":"/etc/passwd"}}"#, 403),
    event(#"{"event":"takeFailed","take":"t1","reason":"x"}"#, 403),
    event(#"{"event":"coverReady","canvas":"c1","generation":1,"cover":{"path":"/etc/passwd"}}"#, 403),
    event(#"{"event":"coverFailed","canvas":"c1","generation":1,"reason":"x"}"#, 403),
    event(#"{"event":"recordStart","take":"t1"}"#, 403),
    event(#"{"event":"recordResume","owner":{"processID":1,"startTicks":1,"bootID":"x"}}"#, 403),
    event(
      "{\"event\":\"tap\",\"canvas\":\"c1\"}\n{\"event\":\"importClip\",\"canvas\":\"c1\",\"clip\":{\"path\":\"/a\"}}",
      403
    ),
    event(#"{"event":"undo"}"# + "\n" + #"{"event":"tap","canvas":"c1"}"#, 400),
    event(#"{"event":"tap","canvas":"c1","clip":{"path":"/etc/passwd"}}"#, 400),
    event(#"{"event":"tap","event":"deselect","canvas":"c1"}"#, 400),
    event(#"{"event":"tap"}"#, 400),
    event(#"{"event":"tap","canvas":""}"#, 400),
    event(#"["tap"]"#, 400),
    event("tap", 400),
    event("\u{0}", 400, name: "a NUL byte"),
    event("", 400, name: "an empty body"),
    event(" \n\t\n", 400, name: "a body of white space"),
    event(String(repeating: "[", count: 100_000), 400, name: "100 000 opening brackets"),
    event(#"{"event":"tap","canvas":"c9"}"#, 409),
    event(#"{"event":"addCanvas","canvas":"../../c"}"#, 409),
    event(#"{"event":"addCanvas","canvas":"none"}"#, 409),
    event(#"{"event":"moveCanvas","canvas":"c1","to":9}"#, 409),
    event(#"{"event":"recordStop"}"#, 409),
    event(#"{"event":"recordResume"}"#, 409),
    writing("a form", 415, ["Content-Type": "application/x-www-form-urlencoded"]),
    writing("a form with files", 415, ["Content-Type": "multipart/form-data; boundary=x"]),
    writing("plain text", 415, ["Content-Type": "text/plain"]),
    writing("no type", 415, ["Content-Type": nil]),
    Attack("more than 1 MiB", 413) {
      $0.events(String(repeating: #"{"event":"tap","canvas":"c1"}"# + "\n", count: 40_000))
    },
    Attack("more than 1 MiB in one line", 413) { $0.events(String(repeating: " ", count: 1 << 20) + "{}") },
  ]

  static let paths = [
    path("/etc/passwd"), path("/../../../../etc/passwd"), path("/%2e%2e/%2e%2e/etc/passwd"), path("/board.json"),
    path("/..%2fboard.json"), path("/clips/../board.json"), path("/clips/c1/..%2f..%2fboard.json"),
    path("/clips/c1%00/1"), path("/clips/%2e%2e/1"), path("/covers/c1/1"), path("/covers/c1/-1"),
    path("/covers//1"), path("/clips/c1/1/x"), path("/clips/c1/99999999999999999999"), path("/clips/%ff/1", 400),
    path("/clips/%zz/1", 400), path("/clips/%/1", 400), path("/Page/index.html"), path("/index.html"),
    path("/style.css/.."), path("/style.css%00"), path("/uploads/take-t1-1"),
    Attack("an upload outside the folder", 404) {
      TestUpload(server: $0, path: "/uploads/..%2F..%2Fboard.json").part([1], at: 0)
    },
    Attack("an upload that was not started", 404) {
      TestUpload(server: $0, path: "/uploads/take-t1-1").part([1], at: 0)
    },
    Attack("a clip for no canvas", 409) { TestUpload.clipRequest(on: $0, canvas: "c9", length: 5) },
    Attack("a clip for another path", 409) { TestUpload.clipRequest(on: $0, canvas: "..%2F..", length: 5) },
    Attack("a clip for a canvas that is not UTF-8", 400) { TestUpload.clipRequest(on: $0, canvas: "%FF", length: 5) },
    Attack("another method", 404) { $0.request("DELETE", "/board") },
    Attack("a trace", 404) { $0.request("TRACE", "/board") },
  ]

  /// All attacks, by the headings of the documentation.
  static let chapters = [
    ("Without permission", withoutPermission), ("From other pages and under other names", fromElsewhere),
    ("Events", events), ("Paths and methods", paths),
  ]

  static let all = chapters.flatMap(\.1)
}
