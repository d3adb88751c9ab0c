import BoardStore
import Testing

@testable import BoardServer

@Suite("Invitations to a shared board")
struct GuestsTests {
  private let guests = Guests()

  /// Returns the message of the answer to an invitation that is refused; `nil` if it is accepted.
  private func problem(_ token: String, at time: ContinuousClock.Instant = .now) -> String? {
    do throws(RequestFailure) {
      _ = try guests.join(with: token, as: "Ann", now: time)
      return nil
    } catch {
      return error.text
    }
  }

  @Test("Each works once, also if two phones use it at the same moment")
  func once() async throws {
    let token = guests.invite(for: .seconds(60))
    let guests = guests
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { (try? guests.join(with: token, as: "")) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1 && guests.all.count == 1)
    #expect(problem(token)?.contains("was used already") == true)
  }

  @Test("It ends after its time, whatever the clock shows")
  func expired() {
    let now = ContinuousClock.now
    let token = guests.invite(for: .seconds(60), now: now)
    let other = guests.invite(for: .seconds(60), now: now)
    #expect(problem(token, at: now + .seconds(60))?.contains("has expired") == true)
    #expect(problem(other, at: now + .seconds(59.999)) == nil)
  }

  @Test("Tokens have at least 128 bits and differ, and no other is valid")
  func tokens() {
    let tokens = (0..<10).map { _ in guests.invite(for: .seconds(60)) }
    #expect(Set(tokens).count == 10 && tokens.allSatisfy { $0.utf8.count * 5 >= 128 })
    for wrong in ["", "x", String(tokens[0].dropLast()), tokens[0] + "0", tokens[0].uppercased() + "!"] {
      #expect(problem(wrong)?.contains("is not valid") == true, "\(wrong)")
    }
    #expect(problem(tokens[0]) == nil)
  }

  @Test(
    "A guest has the name that its user chose, or a number, on one line and unlike the others",
    arguments: [
      (["", "  "], ["Phone 1", "Phone 2"]), (["Ann", "Ann", "Ann"], ["Ann", "Ann (2)", "Ann (3)"]),
      ([" Ann\n B. "], ["Ann B."]), (["<b>é</b>"], ["<b>é</b>"]),
      ([String(repeating: "a", count: 100)], [String(repeating: "a", count: 40)]),
    ]
  )
  func names(_ wanted: [String], _ names: [String]) throws {
    let joined = try wanted.map { try guests.join(with: guests.invite(for: .seconds(60)), as: $0).name }
    #expect(joined == names)
  }

  @Test("A name cannot control a terminal")
  func controls() throws {
    let name = try guests.join(with: guests.invite(for: .seconds(60)), as: "a\u{1B}[31mb\u{7}").name
    #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(name)")
  }

  @Test("A guest that was removed has no access, and frees its place")
  func removed() throws {
    var last: Guest?
    for _ in 0..<Guests.maximum { last = try guests.join(with: guests.invite(for: .seconds(60)), as: "") }
    let token = guests.invite(for: .seconds(60))
    #expect(problem(token)?.contains("the owner has to remove one first") == true)
    let guest = try #require(last)
    #expect(guests.guest(reading: guest.reading) === guest)
    #expect(guests.guest(writing: guest.writing) === guest)
    #expect(guests.guest(writing: guest.reading) == nil)
    try guests.remove(guest.id)
    #expect(guest.isRemoved && guests.guest(reading: guest.reading) == nil)
    #expect(throws: RequestFailure.self) { try guests.remove(guest.id) }
    #expect(problem(token) == nil)
  }
}
