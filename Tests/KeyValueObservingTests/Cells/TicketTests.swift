import KeyValueObserving
import Testing

@Suite("Ticket example from the documentation")
struct TicketTests {
  @Test("Synchronous notifications are delivered inside the mutation, so the output has a fixed order")
  func synchronous() throws {
    let transcript = Record<String>()
    let ticket = Observed(Ticket(number: 123_456), ledger: Ledger())
    let observation = ticket.observe(\.count, options: [.old, .new]) { change in
      transcript.append("count \(change.new ?? -1)")
      transcript.append(change.new == 0 ? "issued" : "returned")
    }
    let number = try ticket.issueTicket()
    transcript.append("customer has it")
    try ticket.returnTicket(number)
    transcript.append("customer gave it back")
    #expect(
      transcript.all == ["count 0", "issued", "customer has it", "count 1", "returned", "customer gave it back"]
    )
    observation.cancel()
    #expect(!ticket.isObserved)
  }

  @Test("An invalid issue or return throws, changes nothing and sends no notification")
  func refused() throws {
    let transcript = Record<Int>()
    let ticket = Observed(Ticket(number: 123_456), ledger: Ledger())
    let observation = ticket.observe(\.count) { transcript.append($0.new ?? -1) }
    #expect(throws: Ticket.Failure.notIssued(123_456)) { try ticket.returnTicket(123_456) }
    #expect(try ticket.issueTicket() == 123_456)
    #expect(throws: Ticket.Failure.soldOut) { try ticket.issueTicket() }
    #expect(throws: Ticket.Failure.notIssued(1)) { try ticket.returnTicket(1) }
    #expect(transcript.all == [0] && ticket.count == 0)
    observation.cancel()
  }

  @Test("Asynchronous notifications report the issue before the return")
  func asynchronous() async throws {
    let transcript = Record<String>()
    let ticket = Observed(Ticket(number: 123_456), ledger: Ledger())
    let observation = ticket.observe(\.count, delivery: .async(SerialDeliveryExecutor())) { change in
      transcript.append("\(change.old ?? -1)→\(change.new ?? -1)")
    }
    try ticket.returnTicket(ticket.issueTicket())
    #expect(await eventually { transcript.all.count == 2 })
    #expect(transcript.all == ["1→0", "0→1"])
    observation.cancel()
  }
}
