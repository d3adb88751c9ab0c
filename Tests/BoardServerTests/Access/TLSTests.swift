import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Addresses and certificates of a served board", .enabled(if: Scope.isFull))
struct TLSTests {
  private let scratch: ScratchFolder

  init() async throws {
    scratch = try ScratchFolder()
    _ = try await clipcanvas("board", "new", "--canvases", "2")
  }

  private func clipcanvas(_ arguments: String...) async throws -> ProgramResult {
    try await Program.run(
      "clipcanvas",
      arguments,
      in: scratch.path,
      environment: ["XDG_STATE_HOME": scratch("state").string]
    )
  }

  /// Makes a certificate for `studio.test`, its key, and another key.
  private func makeCertificate() async throws {
    let made = try await Program.runTool(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", scratch("key.pem").string, "-out",
        scratch("certificate.pem").string, "-days", "2", "-subj", "/CN=studio.test", "-addext",
        "subjectAltName=DNS:studio.test",
      ]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let other = try await Program.runTool("openssl", ["genrsa", "-out", scratch("other.pem").string, "2048"])
    try #require(other.exitStatus == 0, "\(other.errorOutput)")
  }

  @Test(
    "An address that other machines can reach needs a certificate, and one for all networks a name",
    arguments: [
      (["--listen", "0.0.0.0:0"], "--certificate"), (["--listen", "studio.test"], "--certificate"),
      (["--listen", "[::]:0"], "--certificate"), (["--certificate", "a.pem"], "--key"),
      (["--key", "a.pem"], "--certificate"),
      (["--listen", "0.0.0.0:0", "--certificate", "a.pem", "--key", "b.pem"], "--host NAME"),
      (["--listen", "127.0.0.1:70000"], "is not an address with a port"),
      (["--host", "http://a"], "leave out the scheme"),
    ]
  )
  func refused(_ arguments: [String], _ words: String) async throws {
    let result = try await Program.run("clipcanvas", ["board", "serve"] + arguments, in: scratch.path)
    #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
  }

  @Test("A host that does not exist is named")
  func unknownHost() async throws {
    try await makeCertificate()
    let identity = ["--certificate", "certificate.pem", "--key", "key.pem"]
    let serve = ["board", "serve", "--listen", "nowhere.invalid:0"]
    let result = try await Program.run(
      "clipcanvas",
      serve + identity,
      in: scratch.path,
      environment: ["XDG_STATE_HOME": scratch("state").string]
    )
    #expect(result.exitStatus == 2)
    #expect(
      result.errorOutput == "clipcanvas: cannot listen on nowhere.invalid:0: there is no host 'nowhere.invalid'; "
        + "use an address of this machine\n",
      "\(result.errorOutput)"
    )
  }

  @Test("A certificate or key that cannot be used is named")
  func unusable() async throws {
    try await makeCertificate()
    try scratch.write("-----BEGIN NONSENSE-----\n".utf8, as: "nonsense.pem")
    for (certificate, key, words) in [
      ("nonsense.pem", "key.pem", "nonsense.pem contains no readable certificate"),
      (
        "missing.pem", "key.pem",
        "cannot read missing.pem: no such file or directory; name another file with --certificate"
      ),
      ("certificate.pem", "nonsense.pem", "nonsense.pem contains no readable private key"),
      (
        "certificate.pem", "missing.pem",
        "cannot read missing.pem: no such file or directory; name another file with --key"
      ),
      ("certificate.pem", "other.pem", "other.pem is not the key of certificate.pem; name its own key with --key"),
    ] {
      let result = try await clipcanvas(
        "board",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--certificate",
        certificate,
        "--key",
        key
      )
      #expect(result.exitStatus == 2 && result.errorOutput.contains(words), "\(result.errorOutput)")
    }
  }

  @Test("With a certificate, the server speaks TLS only, and only under the names that were given")
  func secure() async throws {
    try await makeCertificate()
    let program = try RunningProgram(
      "clipcanvas",
      [
        "board", "serve", "--listen", "0.0.0.0:0", "--host", "Studio.test", "--certificate", "certificate.pem", "--key",
        "key.pem",
      ],
      scratch: scratch,
      label: "serve",
      environment: ["XDG_STATE_HOME": scratch("state").string]
    )
    var text = ""
    try await eventually("the server prints its address") {
      text = try program.outputSoFar()
      return text.hasSuffix("\n")
    }
    let address = String(try #require(text.split(separator: " ").last)).filter { $0 != "\n" }
    #expect(address.hasPrefix("https://studio.test:"))
    let asked = try await Program.runTool(
      "python3",
      ["-c", Self.questions, address, scratch("certificate.pem").string]
    )
    #expect(
      asked.exitStatus == 0 && asked.text == "200 Secure 421 plain refused\n",
      "\(asked.text)\(asked.errorOutput)"
    )
    program.send(15)
    _ = try await program.end()
  }

  /// Asks with the right name, with another, and without TLS.
  private static let questions = """
    import http.client, socket, ssl, sys, urllib.parse
    address, certificate = urllib.parse.urlsplit(sys.argv[1]), sys.argv[2]
    def ask(host):
        context = ssl.create_default_context(cafile=certificate)
        stream = context.wrap_socket(socket.create_connection(("127.0.0.1", address.port)), server_hostname="studio.test")
        connection = http.client.HTTPConnection("127.0.0.1")
        connection.sock = stream
        connection.request("GET", "/?" + address.query, headers={"Host": host})
        return connection.getresponse()
    answer = ask(f"studio.test:{address.port}")
    print(answer.status, "Secure" if "; Secure" in answer.headers["Set-Cookie"] else "open", end=" ")
    print(ask(f"127.0.0.1:{address.port}").status, end=" ")
    plain = http.client.HTTPConnection("127.0.0.1", address.port)
    try:
        plain.request("GET", "/", headers={"Host": f"studio.test:{address.port}"})
        print("plain", plain.getresponse().status)
    except (http.client.HTTPException, OSError):
        print("plain refused")
    """
}
