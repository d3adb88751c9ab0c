import BoardStore
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Access to a served board", .enabled(if: Scope.isFull), .ownThread)
struct AccessTests {
  @Test("Requests that do not come from the page are refused with a reason, and change nothing")
  func attacks() async throws {
    let server = try await TestServer()
    let before = try server.bytes()
    for attack in Attack.all {
      let answer = try await server.answer(attack.request(server))
      #expect(answer.status == attack.status, "\(attack.name): \(answer.text)")
      if attack.request(server).method != "HEAD" {
        #expect(!(answer.sentence ?? "").isEmpty, "\(attack.name): \(answer.text)")
      }
      expectHeaders(answer, Comment(rawValue: attack.name))
    }
    #expect(try server.bytes() == before)
    #expect(server.clips.isEmpty && server.parts.isEmpty)
    #expect(try await server.answer(server.request("GET", "/board")).status == 200)
    try await server.end()
  }

  @Test("The documentation names each of these requests with its answer, and no other")
  func documented() throws {
    let page = ProjectFolder.top.appending("Sources/BoardServer/BoardServer.docc/RefusedRequests.md")
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    for (heading, attacks) in Attack.chapters {
      let chapter = try #require(text.split(separator: "### \(heading)\n").dropFirst().first, "\(heading)")
      let rows = chapter.split(separator: "\n### ")[0].split(separator: "\n").filter { $0.hasPrefix("|") }
      let expected = attacks.map { "| \($0.name) | \($0.status) |" }
      #expect(rows.dropFirst(2).map(String.init) == expected, "\(expected.joined(separator: "\n"))")
    }
  }

  private func expectHeaders(_ answer: TestResponse, _ what: Comment) {
    #expect(answer["X-Content-Type-Options"] == "nosniff", what)
    #expect(answer["Cache-Control"] == "no-store", what)
    #expect(answer["Referrer-Policy"] == "no-referrer", what)
    #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin", what)
    #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin", what)
    #expect(answer["Access-Control-Allow-Origin"] == nil, what)
    let policy = answer["Content-Security-Policy"]?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
    #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), what)
    #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'none'"), what)
  }

  @Test("The page may be opened by its address, and changes the board as localhost too")
  func welcome() async throws {
    let server = try await TestServer()
    for path in ["/", "/style.css", "/main.js", "/icon.svg", "/board"] {
      let answer = try await server.answer(server.request("GET", path))
      #expect(answer.status == 200 && !answer.body.isEmpty, "\(path)")
      expectHeaders(answer, Comment(rawValue: path))
    }
    let typed = server.request("GET", "/").with("Sec-Fetch-Site", "none")
    #expect(try await server.answer(typed).status == 200)
    // Programs other than browsers send no such header.
    #expect(try await server.answer(server.request("GET", "/board").with("Sec-Fetch-Site", nil)).status == 200)
    let other = server.request("GET", "/board", ["Cookie": "a=b; \(server.cookie); clipcanvas-1=c"])
    #expect(try await server.answer(other).status == 200)
    let local = server.events(#"{"event":"tap","canvas":"c1"}"#).with("Host", "LocalHost:\(server.port)")
    #expect(try await server.answer(local.with("Origin", "http://localhost:\(server.port)")).status == 200)
    try await server.end()
  }

  @Test("The printed address sets a cookie that scripts cannot read, and gives the token to the page only")
  func entrance() async throws {
    let server = try await TestServer()
    let request = TestRequest(method: "GET", path: "/?token=\(server.entry)", headers: [("Host", server.host)])
    let answer = try await server.answer(request)
    #expect(answer.status == 200 && answer["Location"] == nil && answer.text.contains(server.token))
    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer["Set-Cookie"] == "\(server.cookie); Path=/; HttpOnly; SameSite=Strict")
    expectHeaders(answer, "the entrance")
    #expect(server.cookie.hasPrefix("clipcanvas-\(server.port)="))
    let reading = server.cookie.split(separator: "=").last.map(String.init) ?? ""
    #expect(Set([server.entry, server.token, reading]).count == 3)
    #expect([server.entry, server.token, reading].allSatisfy { $0.utf8.count == 32 })
    // No secret is in the state, the page or the log.
    for path in ["/", "/board", "/main.js"] {
      let text = try await server.answer(server.request("GET", path)).text
      for secret in [server.entry, server.token, reading] { #expect(!text.contains(secret), "\(path)") }
    }
    try await server.end()
  }

  @Test("Somebody who opens an address that is refused gets a page with the way in, and a program gets JSON")
  func refusals() async throws {
    let server = try await TestServer()
    let navigation = ["Sec-Fetch-Mode": "navigate", "Accept": "text/html,*/*;q=0.8"]
    let stranger = TestRequest(method: "GET", path: "/", headers: [("Host", server.host)])
    let open = "open the address that 'clipcanvas board serve' printed."
    let refusals: [(TestRequest, Int, String)] = [
      (stranger, 401, "This browser has no access to the board; \(open)"),
      (stranger.with("Host", "evil.example"), 421, "This server does not accept the host name in the address; "),
      (server.request("GET", "/?token=x"), 401, "This address is not valid; open the one that "),
      (server.request("GET", "/", ["Sec-Fetch-Site": "cross-site"]), 403, #"<a href="/">Open the board</a>"#),
      (server.request("GET", "/<i>"), 404, "Not Found"),
    ]
    for (request, status, words) in refusals {
      let page = try await server.answer(navigation.reduce(request) { $0.with($1.key, $1.value) })
      #expect(page.status == status && page.text.contains(words), "\(page.text)")
      #expect(page["Content-Type"] == "text/html; charset=utf-8" && !page.text.contains("<script"), "\(words)")
      expectHeaders(page, Comment(rawValue: words))
      // Old browsers send only `Accept`.
      #expect(try await server.answer(request.with("Accept", "text/html")).text == page.text, "\(words)")
      let other = try await server.answer(request.with("Accept", "text/html").with("Sec-Fetch-Mode", "cors"))
      #expect(other.status == status && !(other.sentence ?? "").isEmpty, "\(other.text)")
    }
    try await server.end()
  }
}
