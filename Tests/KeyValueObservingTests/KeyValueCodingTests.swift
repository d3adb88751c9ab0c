import KeyValueObserving
import Testing

@Suite("Access by name")
struct KeyValueCodingTests {
  private let told = Record<String>()
  private let model = Observed(Numbers(), ledger: Ledger())

  @Test("An unknown name and a value of the wrong type are rejected, and nothing changes")
  func refused() {
    let observation = model.observe(\.first, options: .equal) { [told] in told.append("\($0.kind)") }
    #expect(throws: KeyError.undefinedKey("frist", known: ["first", "name", "second"])) {
      try model.setValue(2, forKey: "frist")
    }
    #expect(throws: KeyError.typeMismatch("first", expected: "Int", given: "String")) {
      try model.setValue("2", forKey: "first")
    }
    #expect(throws: KeyError.undefinedKey("sum", known: ["first", "name", "second"])) {
      try model.value(forKey: "sum")
    }
    #expect(told.all.isEmpty && model.snapshot == Numbers())
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
  }
}
