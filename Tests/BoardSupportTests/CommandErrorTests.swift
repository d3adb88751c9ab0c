import BoardSupport
import Files
import SystemPackage
import TestSupport
import Testing

@Suite("Errors of commands")
struct CommandErrorTests {
  @Test("An output that must not be replaced is named, with what is there and the way out")
  func refusedOutput() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.write(Array("my notes".utf8), as: "notes.txt")
    let refusal = OutputRefusal(path: path, reason: .foreign)
    let error = CommandError(refusal, product: "a report made by clipcanvas", option: "--report")
    let message = try #require(error.message)
    #expect(message.hasPrefix("\(path.displayText) "), "\(message)")
    #expect(message.contains("; ") && message.contains("--force"), "\(message)")
  }
}
