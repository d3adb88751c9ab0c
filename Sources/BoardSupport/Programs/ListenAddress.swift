/// An address of this machine and a port.
package struct ListenAddress: Codable, Hashable, Sendable {
  /// The address: a name, an IPv4 address, or an IPv6 address without brackets.
  package let host: String
  /// The port; 0 for any free port.
  package let port: Int

  /// The address if none is given.
  ///
  /// The port is fixed because a browser remembers permissions, such as the one for the camera, for an address with its
  /// port.
  package static let usual = ListenAddress(host: "127.0.0.1", port: 8427)

  /// The address of a shared board if none is given: all of this machine.
  package static let everywhere = ListenAddress(host: "0.0.0.0", port: usual.port)

  private init(host: String, port: Int) {
    (self.host, self.port) = (host, port)
  }

  /// Reads `ADDRESS`, `:PORT`, `ADDRESS:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`; returns `nil` for anything else.
  package init?(_ text: String) {
    let (host, rest): (Substring, Substring)
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      (host, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
      guard host.contains(":") else { return nil }
    } else {
      let colon = text.firstIndex(of: ":") ?? text.endIndex
      (host, rest) = (text[..<colon], text[colon...])
    }
    guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-:".contains($0)) }) else { return nil }
    var port = Self.usual.port
    if !rest.isEmpty {
      let digits = rest.dropFirst()
      guard rest.hasPrefix(":"), (1...5).contains(digits.count), digits.allSatisfy(\.isWholeNumber),
        let number = Int(digits), number <= 65_535
      else { return nil }
      port = number
    }
    // A number alone is a port that lacks its colon, and not the name of a machine.
    guard host.contains(where: { !$0.isNumber }) || (host.isEmpty && !rest.isEmpty) else { return nil }
    self.init(host: host.isEmpty ? Self.usual.host : host.lowercased(), port: port)
  }

  /// Whether only this machine can reach the address.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") && isIPv4 }

  /// Whether the address stands for all addresses of this machine.
  package var isWildcard: Bool { ["0.0.0.0", "::"].contains(host) }

  private var isIPv4: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns the address with another port.
  package func withPort(_ port: Int) -> ListenAddress { ListenAddress(host: host, port: port) }
}

extension ListenAddress: CustomStringConvertible {
  /// The address as in a URL, such as `127.0.0.1:8427` or `[::1]:8427`.
  package var description: String { "\(Self.inURL(host)):\(port)" }

  /// Returns a host as it is written in a URL: an IPv6 address in brackets.
  package static func inURL(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
