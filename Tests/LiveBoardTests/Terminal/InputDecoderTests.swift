import LiveBoard
import TestSupport
import Testing

@Suite struct InputDecoderTests {
  /// Sequences from the tables of xterm's ctlseqs, ECMA-48 and the Linux console's console_codes(4).
  static let table: [(bytes: String, inputs: [Input])] = [
    ("\u{1B}[A", [.key(.up)]),
    ("\u{1B}[B", [.key(.down)]),
    ("\u{1B}[C", [.key(.right)]),
    ("\u{1B}[D", [.key(.left)]),
    ("\u{1B}OA", [.key(.up)]),
    ("\u{1B}[H", [.key(.home)]),
    ("\u{1B}[1~", [.key(.home)]),
    ("\u{1B}[7~", [.key(.home)]),
    ("\u{1B}[F", [.key(.end)]),
    ("\u{1B}OF", [.key(.end)]),
    ("\u{1B}[4~", [.key(.end)]),
    ("\u{1B}[5~", [.key(.pageUp)]),
    ("\u{1B}[6~", [.key(.pageDown)]),
    ("\r", [.key(.enter)]),
    ("\u{1B}OM", [.key(.enter)]),
    ("q?", [.key(.character("q")), .key(.character("?"))]),
    ("é€😀", [.key(.character("é")), .key(.character("€")), .key(.character("😀"))]),
    ("\u{1B}[<0;10;5M", [.mouse(.init(.press, column: 9, row: 4))]),
    ("\u{1B}[<64;1;1M", [.mouse(.init(.wheelUp, column: 0, row: 0))]),
    ("\u{1B}[<65;300;200M", [.mouse(.init(.wheelDown, column: 299, row: 199))]),
    // Button releases, other buttons, other keys, and keys with Shift, Control or Alt are ignored as a whole.
    ("\u{1B}[<0;10;5m", []),
    ("\u{1B}[<2;10;5M", []),
    ("\u{1B}[1;5A", []),
    ("\u{1B}[3~", []),
    ("\u{1B}[15~", []),
    ("\u{1B}[[A", []),
    ("\u{1B}OP", []),
    ("\u{1B}d", []),
    ("\u{1B}[?62;22c", []),
    ("\u{1}\u{2}", []),
    // Pasted text is not decoded.
    ("\u{1B}[200~rq\r\u{1B}[A\u{1B}[201~p", "rq\r\u{1B}[A".utf8.map { .pasted($0) } + [.key(.character("p"))]),
    // A sequence is cut off by another one.
    ("\u{1B}[1;\u{1B}[A", [.key(.up)]),
  ]

  @Test("A sequence is decoded to the same input at whatever byte it is split", arguments: table.indices)
  func pieces(_ index: Int) {
    let (text, expected) = Self.table[index]
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var decoder = InputDecoder()
      let inputs = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
      #expect(inputs == expected, "cut at \(cut) of \(text.debugDescription)")
      #expect(!decoder.isWaiting)
    }
    var decoder = InputDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == expected)
  }

  @Test("A lone Escape is the Escape key if nothing follows it")
  func escape() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.finish() == [.key(.escape)])
    #expect(!decoder.isWaiting)
    #expect(decoder.decode([0x1B, 0x1B]) == [.key(.escape)])
    #expect(decoder.finish() == [.key(.escape)])
  }

  @Test("An endless sequence is discarded, and subsequent keys are decoded")
  func endless() {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}[".utf8) == [])
    #expect(decoder.decode(Array(repeating: UInt8(ascii: "1"), count: 100)) == [])
    #expect(!decoder.isWaiting)
    #expect(decoder.decode("q".utf8) == [.key(.character("q"))])
    _ = decoder.decode("\u{1B}[1;".utf8)
    #expect(decoder.finish() == [])
    #expect(decoder.decode("q".utf8) == [.key(.character("q"))])
  }

  @Test(
    "Bytes that are not UTF-8 are delivered one by one, and subsequent keys are decoded",
    arguments: [
      [0xFF], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xC3],
    ] as [[UInt8]]
  )
  func broken(_ bytes: [UInt8]) {
    var decoder = InputDecoder()
    let inputs = decoder.decode(bytes) + decoder.decode("\u{1B}[Aq".utf8)
    #expect(inputs == bytes.map { .key(.byte($0)) } + [.key(.up), .key(.character("q"))])
  }

  @Test("The beginning of a UTF-8 character is delivered as bytes if nothing follows it")
  func latin() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0xE9]) == [])
    #expect(decoder.finish() == [.key(.byte(0xE9))])
    #expect(decoder.decode("é".utf8) == [.key(.character("é"))])
  }

  @Test("Pasted text is delivered byte by byte, whatever it contains")
  func pasted() {
    var decoder = InputDecoder()
    let text: [UInt8] = [0x2F, 0xFF, 0x00, 0xC3, 0x1B, 0x5B, 0x32, 0x30, 0x31]
    let inputs = decoder.decode("\u{1B}[200~".utf8) + decoder.decode(text) + decoder.decode("x\u{1B}[201~q".utf8)
    #expect(inputs == (text + [0x78]).map { .pasted($0) } + [.key(.character("q"))])
  }

  @Test("Random bytes give the same inputs however they are split, never more than bytes, and later keys are decoded")
  func garbage() {
    var numbers = SeededNumbers(seed: 20)
    let alphabet = Array("\u{1B}\u{1B}\u{1B}[[O<0;1;2MmA~qé\u{0}\u{7F}".utf8) + [0xFF, 0x80, 0xF0]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 1...24, using: &numbers)).map { _ in
        Bool.random(using: &numbers)
          ? alphabet[Int.random(in: alphabet.indices, using: &numbers)] : UInt8.random(in: 0...255, using: &numbers)
      }
      var (whole, cut) = (InputDecoder(), InputDecoder())
      let inputs = whole.decode(bytes)
      var others: [Input] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...3, using: &numbers)
        others += cut.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(inputs == others, "\(bytes)")
      #expect(inputs.count <= bytes.count)
      _ = whole.finish()
      // End a paste that may have started by chance; keys are decoded again.
      #expect(whole.decode("\u{1B}[201~q".utf8) == [.key(.character("q"))], "\(bytes)")
    }
  }
}
