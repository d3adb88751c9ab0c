import KeyValueObserving

/// The worked example from the documentation.
struct Ticket: Sendable, Equatable, KeyValueCoding {
  let number: Int
  var count = 1
  var isIssued: Bool { count == 0 }

  static let valueKeys: [String: ValueKey<Ticket>] = ["count": ValueKey(\.count)]

  enum Failure: Error, Equatable {
    case soldOut
    case notIssued(Int)
  }

  mutating func issueTicket() throws(Failure) -> Int {
    guard count > 0 else { throw .soldOut }
    count -= 1
    return number
  }

  mutating func returnTicket(_ number: Int) throws(Failure) {
    guard number == self.number, isIssued else { throw .notIssued(number) }
    count += 1
  }
}

extension Observed<Ticket> {
  func issueTicket() throws(Ticket.Failure) -> Int {
    try mutate { ticket throws(Ticket.Failure) in try ticket.issueTicket() }
  }

  func returnTicket(_ number: Int) throws(Ticket.Failure) {
    try mutate { ticket throws(Ticket.Failure) in try ticket.returnTicket(number) }
  }
}
