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

      Browsers allow the camera only on this machine or over TLS. To let other devices in, listen on another address:
        clipcanvas board serve --listen 0.0.0.0:8427 --host studio.local --certificate cert.pem --key key.pem
      """
  )

  @OptionGroup var board: BoardOptions
  @Option(
    help: ArgumentHelp(
      "The address and port to listen on (default: \(ListenAddress.usual)).",
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
  @Flag(help: "Open the page in your browser.") var open = false
  @Flag(help: "Print the board and the address as a JSON object.") var json = false

  func validate() throws {
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("use '--certificate' and '--key' together")
    }
    let address = listen ?? .usual
    guard address.isLoopback || certificate != nil else {
      throw ValidationError(
        "\(address) can be reached from other machines, whose browsers allow the camera only over TLS: add "
          + "'--certificate' and '--key', or listen on 127.0.0.1"
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
      address: listen ?? .usual,
      mayChangePort: listen == nil,
      hosts: hosts,
      identity: identity,
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

  private static func hostName(_ text: String) throws -> String {
    guard let host = ListenAddress(text)?.host, host == text.lowercased() else {
      throw InvalidValue("'\(text)' is not a host name; leave out the scheme and the port")
    }
    return host
  }
}
