internal import BoardSupport
internal import CanvasModel
internal import HTTPTypes
internal import Synchronization

/// A phone, or another device, whose user accepted an invitation.
final class Guest: Sendable {
  /// A clip that was recorded on a canvas.
  private struct Recording: Hashable {
    let canvas: CanvasID
    let generation: Int
  }

  private struct State {
    var isRemoved = false
    var recordings: Set<Recording> = []
  }

  /// The name of the guest in addresses.
  let id: String
  /// The name that its user chose.
  let name: String
  /// The value of its cookie, which allows reading.
  let reading: String
  /// What its page sends with every change.
  let writing: String
  private let state = Mutex(State())

  fileprivate init(_ id: String, name: String) {
    (self.id, self.name, reading, writing) = (id, name, Secrets.random(), Secrets.random())
  }

  /// Whether the owner of the board removed the guest.
  var isRemoved: Bool { state.withLock(\.isRemoved) }

  fileprivate func remove() { state.withLock { $0.isRemoved = true } }

  /// Notes that the guest recorded a clip.
  func add(_ clip: Clip, on canvas: CanvasID) {
    state.withLock { _ = $0.recordings.insert(Recording(canvas: canvas, generation: clip.generation)) }
  }

  /// Whether the guest recorded a clip.
  func recorded(_ clip: Clip, on canvas: CanvasID) -> Bool {
    state.withLock { $0.recordings.contains(Recording(canvas: canvas, generation: clip.generation)) }
  }
}

/// The invitations to a shared board, and the guests that accepted one.
///
/// Both end with the server. A time that ends an invitation is measured, so that changes of the clock do not matter.
final class Guests: Sendable {
  /// The number of guests that a board can have at a time.
  static let maximum = 32
  /// The number of invitations that are kept, including used and expired ones, which have their own answers.
  private static let rememberedInvitations = 32
  /// The number of characters that the name of a guest can have.
  private static let nameLength = 40

  private struct Invitation {
    let token: String
    let end: ContinuousClock.Instant
    var isUsed = false
  }

  private struct State {
    var invitations: [Invitation] = []
    var guests: [Guest] = []
    /// The number of guests that have joined.
    var count = 0
  }

  private let state = Mutex(State())

  /// The guests, in order of arrival.
  var all: [Guest] { state.withLock(\.guests) }

  /// Makes an invitation for one guest, and returns its token.
  ///
  /// - Parameters:
  ///   - validity: How long it is valid.
  ///   - now: The present time.
  func invite(for validity: Duration, now: ContinuousClock.Instant = .now) -> String {
    let token = Secrets.random()
    state.withLock { state in
      state.invitations.append(Invitation(token: token, end: now + validity))
      if state.invitations.count > Self.rememberedInvitations { state.invitations.removeFirst() }
    }
    return token
  }

  /// Accepts an invitation, which cannot be used again.
  ///
  /// - Parameters:
  ///   - token: The token of the invitation.
  ///   - name: The name that the user of the device chose; may be empty.
  ///   - now: The present time.
  func join(
    with token: String,
    as name: String,
    now: ContinuousClock.Instant = .now
  ) throws(RequestFailure) -> Guest {
    try state.withLock { state throws(RequestFailure) in
      guard let index = state.invitations.firstIndex(where: { Secrets.areEqual(token, $0.token) }) else {
        throw RequestFailure(.forbidden, "this invitation is not valid; \(Self.advice)")
      }
      guard !state.invitations[index].isUsed else {
        throw RequestFailure(.gone, "this invitation was used already, and each works once; \(Self.advice)")
      }
      guard now < state.invitations[index].end else {
        throw RequestFailure(.gone, "this invitation has expired; \(Self.advice)")
      }
      guard state.guests.count < Self.maximum else {
        throw RequestFailure(
          .tooManyRequests,
          "\(Self.maximum) phones have access to this board; the owner has to remove one first"
        )
      }
      state.invitations[index].isUsed = true
      state.count += 1
      let guest = Guest("\(state.count)", name: Self.unused(name, number: state.count, state.guests))
      state.guests.append(guest)
      return guest
    }
  }

  private static let advice = "ask the owner of the board for another one"

  /// Returns a name that no other guest has.
  private static func unused(_ wanted: String, number: Int, _ guests: [Guest]) -> String {
    let words = wanted.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let name = words.isEmpty ? "Phone \(number)" : DisplayName.of(String(words.prefix(nameLength)))
    var (unused, next) = (name, 2)
    while guests.contains(where: { $0.name == unused }) { (unused, next) = ("\(name) (\(next))", next + 1) }
    return unused
  }

  /// Removes a guest: its requests are refused from now on.
  func remove(_ id: String) throws(RequestFailure) {
    let guest = state.withLock { state in
      state.guests.firstIndex { $0.id == id }.map { state.guests.remove(at: $0) }
    }
    guard let guest else { throw RequestFailure(.notFound, "this phone has no access any more") }
    guest.remove()
  }

  /// Returns the guest with the value of a cookie.
  func guest(reading secret: some StringProtocol) -> Guest? { all.first { Secrets.areEqual(secret, $0.reading) } }

  /// Returns the guest with a token for changes.
  func guest(writing secret: some StringProtocol) -> Guest? { all.first { Secrets.areEqual(secret, $0.writing) } }
}
