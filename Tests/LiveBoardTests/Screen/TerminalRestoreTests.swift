import SystemPackage
import TestSupport
import Testing

/// Tests that the live board restores the terminal, based on the kernel's settings and the bytes written.
@Suite struct TerminalRestoreTests {
  /// A simulated shell, which opens its own terminal, runs a program on it, performs an action and prints the results.
  ///
  /// Arguments: the action, then the program. The action is one of `key TEXT`, `signal NUMBER` and `stop NUMBER` (a
  /// stop signal, or `0` for a typed Ctrl-Z), which is followed by SIGCONT and `q`, or with `-9` by SIGKILL. With
  /// `--pictures`, the shell waits for a picture before the action.
  private static let shell = #"""
    import fcntl, os, pty, select, signal, struct, sys, termios, threading, time

    if os.fork():
        sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
    os.setsid()
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    before = termios.tcgetattr(slave)
    output = bytearray()

    def gather():
        try:
            while True:
                part = os.read(master, 65536)
                output.extend(part)
        except OSError:
            pass

    gatherer = threading.Thread(target=gather, daemon=True)
    gatherer.start()

    def wait(what, holds):
        end = time.monotonic() + 60
        while not holds():
            if time.monotonic() > end:
                print("waited in vain for", what, bytes(output[-2000:]))
                sys.stdout.flush()
                if pid:
                    os.kill(pid, signal.SIGKILL)
                os._exit(1)
            time.sleep(0.005)

    def same():
        now = termios.tcgetattr(slave)
        return now == before

    def end(kind):
        found = [0, 0]

        def ended():
            found[:] = os.waitpid(pid, kind | os.WNOHANG)
            return found[0] != 0

        wait("the end", ended)
        return found[1]

    pid = 0
    verb, detail, program = sys.argv[1], sys.argv[2], sys.argv[3:]
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        for number in (0, 1, 2):
            os.dup2(slave, number)
        for number in (signal.SIGTTOU, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execve(program[0], program, os.environ | {"TERM": "xterm-256color"})
    wait("the board", lambda: b"enter taps" in output and b"?2026l" in output)
    if "--pictures" in program:
        wait("a picture", lambda: b"\x1bP0" in output or b"\x1b_Ga=T" in output)
    print("taken", not same())
    if verb == "key":
        os.write(master, detail.encode())
    elif verb == "signal":
        os.kill(pid, int(detail))
    else:
        if detail in ("0", "-9"):
            os.write(master, b"\x1a")
        else:
            os.kill(pid, int(detail))
        status = end(os.WUNTRACED)
        print("stopped", os.WIFSTOPPED(status))
        print("restored", same())
        wait("the screen to be left", lambda: output.rstrip().endswith(b"?1049l"))
        mark = len(output)
        if detail == "-9":
            os.kill(pid, signal.SIGKILL)
            end(0)
            # Then the output ends when the last process that has the terminal open does.
            os.close(slave)
            gatherer.join(60)
            print("silent", not gatherer.is_alive() and output[mark:].strip() == b"")
            sys.stdout.flush()
            os._exit(0)
        os.tcsetpgrp(slave, os.getpgrp())
        os.tcsetpgrp(slave, os.getpgid(pid))
        os.kill(-pid, signal.SIGCONT)
        wait("the board again", lambda: b"?1049h" in output[mark:] and b"enter taps" in output[mark:])
        print("taken", not same())
        os.write(master, b"q")
    status = end(0)
    print("ended", os.waitstatus_to_exitcode(status))
    if detail == "9":
        wait("another process to restore the terminal", same)
    print("restored", same())
    wait("the screen to be left", lambda: output.rfind(b"?1049l") > output.rfind(b"?1049h"))
    for on, off in ((b"?25l", b"?25h"), (b"?1000h", b"?1000l"), (b"?1006h", b"?1006l"), (b"?2004h", b"?2004l")):
        if output.rfind(off) < output.rfind(on):
            print("left on", on)
    print("sixel", b"\x1bP0" in output, "kitty", b"\x1b_Ga=T" in output)
    """#

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func play(_ verb: String, _ detail: String, _ options: [String] = []) async throws -> [String] {
    _ = try await Program.run("clipcanvas", ["board", "new", "--force"], in: folder.path)
    return try await playOnBoard(verb, detail, options)
  }

  private func playOnBoard(_ verb: String, _ detail: String, _ options: [String]) async throws -> [String] {
    let board = folder("board.json").string
    let program = [ProjectFolder.program("clipcanvas").string, "board", "live", "--board", board] + options
    let result = try await Program.runTool("python3", ["-c", Self.shell, verb, detail] + program, in: folder.path)
    #expect(result.exitStatus == 0, "\(result.errorOutput)\(result.text)")
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test("Quitting with a key restores the terminal")
  func quitting() async throws {
    #expect(
      try await play("key", "q") == ["taken True", "ended 0", "restored True", "sixel False kitty False"]
    )
  }

  @Test(
    "A signal that ends the program restores the terminal and still ends the program",
    .enabled(if: Scope.isFull),
    arguments: [
      1, 2, 3, 9, 15, 4, 5, 6, 7, 8, 11, 13, 31,
    ]
  )
  func signals(_ number: Int) async throws {
    #expect(
      try await play("signal", "\(number)")
        == ["taken True", "ended -\(number)", "restored True", "sixel False kitty False"]
    )
  }

  @Test("A typed Ctrl-C sends SIGINT")
  func interrupt() async throws {
    #expect(
      try await play("key", "\u{3}") == ["taken True", "ended -2", "restored True", "sixel False kitty False"]
    )
  }

  @Test("A stop restores the terminal, and continuing enters full-screen mode again", arguments: [20, 0])
  func stopping(_ number: Int) async throws {
    #expect(
      try await play("stop", "\(number)") == [
        "taken True", "stopped True", "restored True", "taken True", "ended 0", "restored True",
        "sixel False kitty False",
      ]
    )
  }

  @Test("A view that is killed while it is stopped leaves the terminal to the shell", .enabled(if: Scope.isFull))
  func killedWhileStopped() async throws {
    #expect(try await play("stop", "-9") == ["taken True", "stopped True", "restored True", "silent True"])
  }

  @Test("`--pictures` selects the protocol for covers", .enabled(if: Scope.isFull), arguments: ["sixel", "kitty"])
  func pixels(_ kind: String) async throws {
    let lines = try await playWithCover("key", "q", pictures: kind)
    #expect(lines.last == "sixel \(kind == "sixel" ? "True" : "False") kitty \(kind == "kitty" ? "True" : "False")")
  }

  @Test(
    "A signal restores the terminal while threads read covers",
    .enabled(if: Scope.isFull),
    arguments: [2, 9, 15, 11, 6]
  )
  func signalsBesideThreads(_ number: Int) async throws {
    #expect(
      try await playWithCover("signal", "\(number)", pictures: "sixel")
        == ["taken True", "ended -\(number)", "restored True", "sixel True kitty False"]
    )
  }

  @Test("A stop restores the terminal while threads read covers", .enabled(if: Scope.isFull), arguments: [20, 0])
  func stoppingBesideThreads(_ number: Int) async throws {
    #expect(
      try await playWithCover("stop", "\(number)", pictures: "sixel") == [
        "taken True", "stopped True", "restored True", "taken True", "ended 0", "restored True",
        "sixel True kitty False",
      ]
    )
  }

  private func playWithCover(_ verb: String, _ detail: String, pictures: String) async throws -> [String] {
    try folder.copy(ProjectFolder.fixture("h264.mp4"))
    _ = try await Program.run("clipcanvas", ["board", "new"], in: folder.path)
    let made = try await Program.run("clipcanvas", ["board", "clip", "import", "c1", "h264.mp4"], in: folder.path)
    #expect(made.exitStatus == 0, "\(made.errorOutput)")
    return try await playOnBoard(verb, detail, ["--pictures", pictures])
  }
}
