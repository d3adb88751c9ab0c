import KeyValueObserving
import Testing

@Suite("Access by name")
struct KeyValueCodingTests {
  private let told = Record<String>()
  private let model = Observed(Numbers(name: "1010"), ledger: Ledger())

  @Test("An unknown name and a value of the wrong type are rejected, and nothing changes")
  func refused() {
    let observation = model.observe(\.first, options: .equal) { [told] in told.append("\($0.kind)") }
    #expect(throws: KeyError.undefinedKey("frist", known: ["first", "name", "second"])) {
      try model.setValue(2, forKey: "frist")
    }
    #expect(throws: KeyError.typeMismatch("first", expected: "Int", given: "String")) {
      try model.setValue("2", forKey: "first")
    }
    for key in ["first", "name"] {
      #expect(throws: KeyError.self) { try model.setValue(Double?.none, forKey: key) }
    }
    #expect(throws: KeyError.typeMismatch("name", expected: "Optional<String>", given: "Optional<Int>")) {
      try model.setValue(Int?.none, forKey: "name")
    }
    #expect(throws: KeyError.undefinedKey("sum", known: ["first", "name", "second"])) {
      try model.value(forKey: "sum")
    }
    #expect(told.all.isEmpty && model.snapshot == Numbers(name: "1010"))
    #expect(
      KeyError.typeMismatch("first", expected: "Int", given: "String").description
        == "cannot set key first: a value of type String was given; give one of type Int"
    )
    observation.cancel()
  }

  @Test("Values, including nil, can be written and read by name")
  func written() throws {
    try model.setValue(4, forKey: "second")
    try model.setValue("four", forKey: "name")
    #expect(try model.value(forKey: "second") as? Int == 4 && model.name == "four")
    try model.setValue(String?.none, forKey: "name")
    #expect(model.name == nil)
    try model.setValue(String?("five"), forKey: "name")
    try model.setValue(Int?(5), forKey: "second")
    #expect(model.name == "five" && model.second == 5)
  }
}
