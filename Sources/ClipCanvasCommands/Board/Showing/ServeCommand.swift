internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import ClipService
internal import Covers

/// `clipcanvas board serve`.
///
/// The server is a separate program, so that its libraries do not slow down the other commands.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the board in browsers, and record into it with their cameras.",
    usage: "clipcanvas board serve [<options>]",
    discussion: """
      Prints an address to open in a browser on this machine; anyone who has it can change the board. Every open browser, \
      'clipcanvas board live' and the other commands show the same board at once. Clips are stored in a folder beside the \
      board: for board.json, in board.clips. Ctrl-C ends the server; a recording is then paused, and what has arrived is kept.

      To record with phones on the same network:
        clipcanvas board serve --share
      This prints a QR code to scan, which works once, and the fingerprint of the certificate that it makes on first use: \
      compare it with that in the details of the certificate on the phone. Press Enter, or use the page, to invite another phone. Guests see the \
      board and record, one at a time, but remove nothing. Their access ends with the server.

      Others on the same network cannot see the board or the recordings, but they can tell when a phone uses it. Somebody \
      who sees the code or the address can use the invitation first; the guest's page then reports that it was used. \
      Somebody who pretends to be the server gets the access of one guest if the guest goes on without comparing \
      fingerprints. Remove such guests on the page. SECURITY.md, which is installed with the documentation, has the details.

      With a certificate that browsers know, leave out '--share' to let everybody in who has the address:
        clipcanvas board serve --listen 0.0.0.0:8427 --host studio.local \\
          --certificate cert.pem --key key.pem
      """
  )

  @OptionGroup var board: BoardOptions
  @Option(
    help: ArgumentHelp(
      "The address and port to listen on (default: \(ListenAddress.usual), and \(ListenAddress.everywhere) with --share).",
      valueName: "address:port"
    ),
    transform: Self.address
  )
  var listen: ListenAddress?
  @Option(
    name: .customLong("host"),
    help: ArgumentHelp("A name under which browsers reach this machine; may be repeated.", valueName: "name"),
    transform: Self.hostName
  )
  var hosts: [String] = []
  @Option(help: ArgumentHelp("The server's TLS certificate, a PEM file.", valueName: "file"))
  var certificate: PathArgument?
  @Option(help: ArgumentHelp("The private key of the certificate, a PEM file.", valueName: "file"))
  var key: PathArgument?
  @Flag(help: "Let phones on the network in, over TLS, with invitations that work once.") var share = false
  @Option(
    help: ArgumentHelp("How long an invitation is valid, from 10s to a day (default: 10m).", valueName: "time"),
    transform: Self.invitationTime
  )
  var inviteFor: Double?
  @Flag(help: "Open the page in your browser.") var open = false
  @Flag(help: "Print the board and the address as a JSON object.") var json = false

  func validate() throws {
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("use '--certificate' and '--key' together")
    }
    guard share || inviteFor == nil else { throw ValidationError("'--invite-for' needs '--share'") }
    guard !share else { return }
    let address = listen ?? .usual
    guard address.isLoopback || certificate != nil else {
      throw ValidationError(
        "\(address) can be reached from other machines, whose browsers allow the camera only over TLS: add "
          + "'--share', or '--certificate' and '--key', or listen on 127.0.0.1"
      )
    }
    guard !address.isWildcard || !hosts.isEmpty else {
      throw ValidationError("\(address) needs the name under which browsers reach this machine: add '--host NAME'")
    }
  }

  func run() throws {
    // Errors of the board are reported by this program, as by all other commands.
    _ = try board.read()
    var identity: ServeArguments.Identity?
    if let certificate, let key { identity = .init(certificate: certificate.path, key: key.path) }
    let arguments = ServeArguments(
      board: board.file.path,
      address: listen ?? (share ? .everywhere : .usual),
      mayChangePort: listen == nil,
      hosts: hosts,
      identity: identity,
      invitationSeconds: share ? inviteFor ?? 600 : nil,
      opensBrowser: open,
      printsJSON: json
    )
    try ProgramLocation.serve.replaceProcess(passing: arguments)
  }

  private static func address(_ text: String) throws -> ListenAddress {
    guard let address = ListenAddress(text) else {
      throw InvalidValue("'\(text)' is not an address with a port, such as 127.0.0.1:8427, [::1]:8427 or :8427")
    }
    return address
  }

  private static func invitationTime(_ text: String) throws -> Double {
    let seconds = OptionValue.seconds(text).flatMap { (10...86_400).contains($0) ? $0 : nil }
    return try OptionValue.value(seconds, of: text, "the time of an invitation", "10s to 24h, such as 90s or 10m")
  }

  private static func hostName(_ text: String) throws -> String {
    guard let host = ListenAddress(text)?.host, host == text.lowercased() else {
      throw InvalidValue("'\(text)' is not a host name; leave out the scheme and the port")
    }
    return host
  }
}
