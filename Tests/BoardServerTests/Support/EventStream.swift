import BoardStore
import SystemPackage

/// A reader of the changes of a served board, as a browser's `EventSource`.
actor EventStream {
  /// An event.
  struct Event: Sendable {
    var name = ""
    var id = ""
    var data = JSON.null
  }

  private let connection: HTTPConnection
  private var text: [UInt8] = []
  /// The identifier of the last event.
  private(set) var lastID: String?
  /// The state of the board, merged from all events.
  private(set) var state: [String: JSON] = [:]

  /// Connects.
  ///
  /// - Parameter lastID: The identifier of the last event that was received before.
  init(of server: TestServer, after lastID: String? = nil) async throws {
    connection = try HTTPConnection(port: server.port)
    self.lastID = lastID
    var request = server.request("GET", "/changes", ["Accept": "text/event-stream"])
    request["Last-Event-ID"] = lastID
    try await connection.send(request)
    let head = try await connection.head()
    guard head.status == 200, head["Content-Type"] == "text/event-stream" else { throw Errno.badMessage }
  }

  /// Returns the next event and merges it into the state; `nil` if the server ended the stream.
  func next() async throws -> Event? {
    while true {
      while let range = text.firstRange(of: [0x0A, 0x0A]) {
        let lines = String(decoding: text[..<range.lowerBound], as: UTF8.self).split(separator: "\n")
        text.removeFirst(range.upperBound)
        guard let event = try Self.event(lines) else { continue }
        lastID = event.id
        merge(event)
        return event
      }
      guard let chunk = try await connection.chunk() else { return nil }
      text += chunk
    }
  }

  /// Reads events until the state fulfils a condition, and returns them.
  @discardableResult
  func events(until condition: ([String: JSON]) -> Bool) async throws -> [Event] {
    var events: [Event] = []
    while !condition(state) {
      guard let event = try await next() else { throw Errno.connectionReset }
      events.append(event)
    }
    return events
  }

  /// Parses the lines of an event; `nil` for a comment or a setting.
  private static func event(_ lines: [Substring]) throws -> Event? {
    var event = Event()
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = String(parts.last?.drop { $0 == " " } ?? "")
      switch parts[0] {
      case "event": event.name = value
      case "id": event.id = value
      case "data": event.data = try JSON(parsing: Array(value.utf8))
      default: break
      }
    }
    return event.name.isEmpty ? nil : event
  }

  /// Merges an event as the page does.
  private func merge(_ event: Event) {
    guard case .object(let object) = event.data else { return }
    var new = Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, $0.value) })
    if event.name == "change" {
      var canvases = Dictionary(uniqueKeysWithValues: (state["canvases"]?.elements ?? []).map { ($0["id"], $0) })
      var order = (state["canvases"]?.elements ?? []).map { $0["id"] }
      for canvas in new["canvases"]?.elements ?? [] { canvases[canvas["id"]] = canvas }
      if let ids = new.removeValue(forKey: "order") { order = ids.elements }
      new["canvases"] = .array(order.compactMap { canvases[$0] })
    }
    state = new
  }
}
