/// A request as a test sends it, well-formed or not.
struct TestRequest: Sendable {
  let method: String
  var path: String
  var headers: [(name: String, value: String)]
  var body: [UInt8] = []

  /// The request as it is sent, with a length if it has a body.
  var bytes: [UInt8] {
    var text = "\(method) \(path) HTTP/1.1\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    let isSized = ["content-length", "transfer-encoding"].contains { self[$0] != nil }
    if method != "GET", method != "HEAD", !isSized { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8) + body
  }

  /// The value of a header.
  subscript(name: String) -> String? {
    get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { headers.append((name, newValue)) }
    }
  }

  /// Returns the request with another value of a header; `nil` removes it.
  func with(_ name: String, _ value: String?) -> TestRequest {
    var copy = self
    copy[name] = value
    return copy
  }
}
