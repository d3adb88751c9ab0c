/// Decodes the bytes that a terminal sends, split at any position, into keys and mouse events.
///
/// Unknown sequences are skipped as a whole, so that no part of one is mistaken for a key. Pasted text is not decoded:
/// it is delivered byte by byte, and separately from keys, because most of it is meant for another program.
package struct InputDecoder: Sendable {
  private var waiting: [UInt8] = []
  private var isPasting = false

  /// The maximum length of an escape sequence, in bytes.
  private static let longestSequence = 64
  private static let escape: UInt8 = 0x1B
  private static let endOfPaste = Array("\u{1B}[201~".utf8)

  /// Creates a decoder.
  package init() {}

  /// Whether an incomplete sequence is pending; call ``finish()`` if no more bytes arrive within a short time.
  package var isWaiting: Bool { !waiting.isEmpty }

  /// Decodes bytes together with any pending ones.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Input] {
    waiting += bytes
    var inputs: [Input] = []
    while !waiting.isEmpty, let (count, input) = isPasting ? nextPasted() : next() {
      waiting.removeFirst(count)
      if let input { inputs.append(input) }
    }
    return inputs
  }

  /// Ends a pending sequence: a lone Escape is the Escape key, the beginning of a UTF-8 character is a few bytes, and
  /// anything else is discarded.
  package mutating func finish() -> [Input] {
    defer { waiting = [] }
    if waiting == [Self.escape], !isPasting { return [.key(.escape)] }
    return waiting.first ?? 0 < 0x80 ? [] : waiting.map { .key(.byte($0)) }
  }

  /// Returns the next byte of pasted text, or the end of the text; `nil` if the end is incomplete.
  private mutating func nextPasted() -> (count: Int, input: Input?)? {
    if waiting.starts(with: Self.endOfPaste) {
      isPasting = false
      return (Self.endOfPaste.count, nil)
    }
    return Self.endOfPaste.starts(with: waiting) ? nil : (1, .pasted(waiting[0]))
  }

  /// Returns the length of the first pending sequence and its input, if any; `nil` if the sequence is incomplete.
  private mutating func next() -> (count: Int, input: Input?)? {
    let first = waiting[0]
    switch first {
    case Self.escape: return sequence()
    case 0x0D, 0x0A: return (1, .key(.enter))
    case 0x09: return (1, .key(.tab))
    case 0x7F, 0x08: return (1, .key(.backspace))
    case 0..<0x20: return (1, nil)
    case 0x20..<0x7F: return (1, .key(.character(Character(Unicode.Scalar(first)))))
    default: return scalar()
    }
  }

  // MARK: - Characters

  private func scalar() -> (count: Int, input: Input?)? {
    let length = Self.length(ofScalarStartingWith: waiting[0])
    let isBroken = length == 1 || waiting.prefix(length).dropFirst().contains { $0 & 0xC0 != 0x80 }
    guard isBroken || waiting.count >= length else { return nil }
    guard !isBroken, let text = String(validating: waiting.prefix(length), as: UTF8.self), let character = text.first
    else { return (1, .key(.byte(waiting[0]))) }
    let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return (length, isControl ? nil : .key(.character(character)))
  }

  private static func length(ofScalarStartingWith byte: UInt8) -> Int {
    switch byte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  // MARK: - Escape sequences

  /// Decodes `ESC [ … letter`, `ESC O letter`, or Escape followed by a key, which is that key with Alt.
  private mutating func sequence() -> (count: Int, input: Input?)? {
    guard waiting.count > 1 else { return nil }
    switch waiting[1] {
    case UInt8(ascii: "["): return controlSequence()
    case UInt8(ascii: "O"):
      guard waiting.count > 2 else { return nil }
      guard waiting[2] != Self.escape else { return (2, nil) }
      return (3, Self.key(ofLetter: waiting[2]).map { .key($0) })
    case Self.escape: return (1, .key(.escape))
    // A key with Alt is a different key, which has no function here.
    case 0..<0x80: return (2, nil)
    default: return (1, nil)
    }
  }

  /// Decodes a control sequence (ECMA-48, 5.4): parameters 0x30…0x3F, intermediates 0x20…0x2F, one final byte
  /// 0x40…0x7E.
  private mutating func controlSequence() -> (count: Int, input: Input?)? {
    guard let end = waiting.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return waiting.count > Self.longestSequence ? (waiting.count, nil) : nil
    }
    let (final, parameters) = (waiting[end], waiting[2..<end])
    // Another sequence or a control character ends this one and is decoded separately.
    guard (0x40...0x7E).contains(final) else { return (end, nil) }
    let count = end + 1
    // `ESC [ [ A` are function keys of the Linux console.
    if final == UInt8(ascii: "["), parameters.isEmpty {
      return waiting.count > count ? (count + 1, nil) : nil
    }
    if parameters.first == UInt8(ascii: "<") { return (count, Self.mouse(parameters.dropFirst(), final: final)) }
    let numbers = Self.numbers(parameters)
    guard final == UInt8(ascii: "~") else {
      // With a modifier (`1;5A`), it is a different key.
      return (count, numbers.count < 2 ? Self.key(ofLetter: final).map { .key($0) } : nil)
    }
    isPasting = numbers.first == 200
    return (count, numbers.count == 1 ? Self.key(ofNumber: numbers[0]).map { .key($0) } : nil)
  }

  private static func numbers(_ parameters: some Collection<UInt8>) -> [Int] {
    parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: true)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
  }

  private static func key(ofLetter letter: UInt8) -> Input.Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  private static func key(ofNumber number: Int) -> Input.Key? {
    switch number {
    case 1, 7: .home
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    default: nil
    }
  }

  /// Decodes `ESC [ < button ; column ; row M`, with 1-based positions; a final `m` means that the button is released.
  private static func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8) -> Input? {
    let numbers = numbers(parameters)
    guard final == UInt8(ascii: "M"), numbers.count == 3, numbers[1] >= 1, numbers[2] >= 1 else { return nil }
    let action: Input.MouseAction
    switch numbers[0] {
    case 0: action = .press
    case 64: action = .wheelUp
    case 65: action = .wheelDown
    default: return nil
    }
    return .mouse(Input.MouseEvent(action, column: numbers[1] - 1, row: numbers[2] - 1))
  }
}
