internal import BoardStore
internal import BoardSupport
internal import Covers
internal import Files
internal import HTTPTypes
internal import Synchronization

/// What a phone needs to get in.
struct Invitation: Sendable {
  /// The address to open; the token is in its fragment, which browsers send to no server.
  let address: String
  /// The fingerprint of the server's certificate.
  let fingerprint: String
  /// How long it is valid.
  let validity: Duration
  /// The address as a QR code.
  let code: QRCode

  /// The invitation in the record that is printed.
  var record: JSON {
    .object([
      "address": .string(address), "fingerprint": .string(fingerprint), "seconds": JSON(validity / .seconds(1)),
    ])
  }

  /// The invitation for the page.
  var json: JSON {
    .object([
      "address": .string(address), "fingerprint": .string(fingerprint), "seconds": JSON(validity / .seconds(1)),
      "size": JSON(code.size), "path": .string(code.path),
    ])
  }
}

/// A board that is shared with other devices on the network.
final class Sharing: Sendable {
  let guests = Guests()
  let certificate: SharedCertificate
  /// The names of the server in addresses, the first of them in invitations.
  let names: [String]
  private let listen: ListenAddress
  private let hosts: [String]
  private let validity: Duration
  private let port = Mutex(0)

  /// - Parameter arguments: Those of the server; `nil` for `share` makes no object.
  init?(_ arguments: ServeArguments) throws(CommandError) {
    guard let seconds = arguments.invitationSeconds else { return nil }
    validity = .seconds(seconds)
    (listen, hosts) = (arguments.address, arguments.hosts)
    names = Self.names(hosts, listen)
    guard let first = names.first else {
      let hasIPv6 = !NetworkAddresses.current(includesIPv6: true).isEmpty
      throw CommandError(
        .cannotContinue,
        hasIPv6
          ? "this machine has only IPv6 addresses on its networks; use '--listen [::]:\(listen.port)'"
          : "this machine has no network address that a phone could reach; connect it to a network, or name the "
            + "address with '--host'"
      )
    }
    if hosts.isEmpty, ListenAddress(first)?.isLoopback == true || first == "::1" {
      StandardError.print(
        "clipcanvas: only this machine can reach \(listen); to let phones in, leave out '--listen' or name another "
          + "address"
      )
    }
    certificate =
      if let identity = arguments.identity { try SharedCertificate(identity) } else {
        try .ofThisUser(for: names + Self.localNames(listen))
      }
  }

  /// Returns the names for others: those that the user named, then the addresses of the machine.
  private static func names(_ hosts: [String], _ listen: ListenAddress) -> [String] {
    guard listen.isWildcard else { return hosts + [listen.host] }
    let addresses = NetworkAddresses.current(includesIPv6: listen.host.contains(":"))
    return hosts + addresses + (hosts + addresses).prefix(1).flatMap { _ in NetworkAddresses.hostNames }
  }

  /// Returns the names of the server that are valid on this machine only.
  static func localNames(_ listen: ListenAddress) -> [String] {
    listen.isWildcard ? ["127.0.0.1", "localhost"] : listen.isLoopback ? ["localhost"] : []
  }

  /// Stores the port that the server listens on.
  func setPort(_ port: Int) { self.port.withLock { $0 = port } }

  /// Makes an invitation for one device.
  func invite() throws(RequestFailure) -> Invitation {
    // The certificate is for the names of the start.
    guard let name = names.first, Self.names(hosts, listen).first == name else {
      throw RequestFailure(
        .serviceUnavailable,
        "the network of this machine has changed; end the server and start it again to invite phones"
      )
    }
    let host = ListenAddress.inURL(name) + (port.withLock { $0 == 443 ? "" : ":\($0)" })
    let address = "https://\(host)/join#\(guests.invite(for: validity))"
    guard let code = QRCode(address) else {
      throw RequestFailure(.internalServerError, "cannot make a QR code of \(address)")
    }
    return Invitation(address: address, fingerprint: certificate.fingerprint, validity: validity, code: code)
  }
}
