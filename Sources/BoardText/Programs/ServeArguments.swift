public import SystemPackage

/// The arguments of `clipcanvas-serve`.
public struct ServeArguments: PassedArguments, Hashable {
  /// A certificate and its private key, in PEM files.
  public struct Identity: Codable, Hashable, Sendable {
    /// The certificate, and those that lead from it to a known one.
    @ExactPath public var certificate: FilePath
    /// The private key.
    @ExactPath public var key: FilePath

    /// Creates the paths of a certificate and its key.
    public init(certificate: FilePath, key: FilePath) {
      (_certificate, _key) = (ExactPath(wrappedValue: certificate), ExactPath(wrappedValue: key))
    }
  }

  /// The board's file.
  @ExactPath public var board: FilePath
  /// The address to listen on, and the port; 0 for any free port.
  public var address: ListenAddress
  /// Whether another free port may be used if the port is taken, because the user did not ask for it.
  public var mayChangePort: Bool
  /// The names under which browsers may reach the server, besides its address.
  public var hosts: [String]
  /// The certificate for TLS; `nil` for plain HTTP.
  public var identity: Identity?
  /// Whether to open the page in the user's browser.
  public var opensBrowser: Bool
  /// Whether the address is printed as JSON.
  public var printsJSON: Bool

  /// The commands that run the program.
  public static let commands = "'clipcanvas board serve'"

  /// Creates the arguments.
  public init(
    board: FilePath,
    address: ListenAddress,
    mayChangePort: Bool,
    hosts: [String],
    identity: Identity?,
    opensBrowser: Bool,
    printsJSON: Bool
  ) {
    (_board, self.address, self.mayChangePort) = (ExactPath(wrappedValue: board), address, mayChangePort)
    (self.hosts, self.identity) = (hosts, identity)
    (self.opensBrowser, self.printsJSON) = (opensBrowser, printsJSON)
  }
}
