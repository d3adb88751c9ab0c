internal import CoverService
internal import Covers
internal import Files
internal import Glibc
internal import Pictures
internal import Synchronization
internal import SystemPackage
internal import Terminal

/// Reads covers while the loop goes on.
///
/// A cover's file may be anybody's and may take its time, so a decoder process reads it, as it does a clip.
final class CoverReader: Sendable {
  /// A cover that is wanted.
  struct Order: Sendable {
    let key: CoverShelf.Key
    let path: FilePath
  }

  /// What has come.
  struct Delivery: Sendable {
    /// `nil` for a cover that is missing or damaged.
    var pictures: [(key: CoverShelf.Key, picture: TerminalPicture?)] = []
    /// Why no cover can be read, or not as safely as it should be; for a person.
    var problem: String?

    var isEmpty: Bool { pictures.isEmpty && problem == nil }
  }

  private struct State {
    /// The newest last, which is read first: it is what is in sight.
    var orders: [Order] = []
    var isAtWork = false
    /// What is being read.
    var current: CoverShelf.Key?
    var isEnded = false
    var delivery = Delivery()
    var scaler: CoverScaler?
  }

  /// Can be read when there is something to take.
  let bell: FileDescriptor
  private let ringer: FileDescriptor
  private let abilities: PictureAbilities
  private let state = Mutex(State())

  /// - Parameter abilities: What covers are drawn for.
  init(for abilities: PictureAbilities) throws(Errno) {
    self.abilities = abilities
    (bell, ringer) = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
  }

  deinit {
    try? bell.close()
    try? ringer.close()
  }

  /// Asks for a cover, which comes later; once, if it is at work already.
  func ask(for order: Order) {
    let startsWork = state.withLock { state in
      guard !state.isEnded, state.current != order.key else { return false }
      defer { state.isAtWork = true }
      state.orders.append(order)
      return !state.isAtWork
    }
    if startsWork { Task { await work() } }
  }

  /// Ends the decoder, and with it what is at work; nothing more comes.
  func end() async {
    let scaler = state.withLock { state in
      state.isEnded = true
      state.orders = []
      return state.scaler
    }
    await scaler?.end()
  }

  /// Forgets what nobody waits for any more; what is at work still comes.
  func forgetOrders() { state.withLock { $0.orders = [] } }

  /// What has come since this was last asked.
  func takeDelivery() -> Delivery {
    state.withLock { state in
      var byte: UInt8 = 0
      _ = read(bell.rawValue, &byte, 1)
      defer { state.delivery = Delivery() }
      return state.delivery
    }
  }

  // MARK: - Work

  private func work() async {
    while let order = nextOrder() {
      let picture = await picture(of: order)
      deliver { $0.pictures.append((order.key, picture)) }
    }
  }

  private func nextOrder() -> Order? {
    state.withLock { state in
      let order = state.orders.popLast()
      state.current = order?.key
      state.isAtWork = order != nil
      return order
    }
  }

  /// Rings once, however much comes until it is heard.
  private func deliver(_ put: (inout Delivery) -> Void) {
    state.withLock { state in
      let rings = state.delivery.isEmpty
      put(&state.delivery)
      if rings { _ = write(ringer.rawValue, "!", 1) }
    }
  }

  private func picture(of order: Order) async -> TerminalPicture? {
    let (most, character) = (order.key.size, order.key.character)
    let (width, height) = (most.columns * character.width, most.rows * character.height)
    guard let box = SizeLimit(width: width, height: height) else { return nil }
    do throws(ServiceError) {
      guard let scaler = try scaler(), case .success(let file) = try await scaler.scale(order.path, .fitting(box)),
        let picture = try? Picture(readingPNGFrom: file.descriptor.rawValue, maximumPixels: width * height)
      else { return nil }
      return TerminalPicture(picture, fitting: most, abilities: abilities, character: character)
    } catch {
      deliver { $0.problem = error.description }
      return nil
    }
  }

  /// Made when it is first needed; `nil` after the end.
  ///
  /// Called by the one that is at work.
  private func scaler() throws(ServiceError) -> CoverScaler? {
    if let scaler = state.withLock({ $0.scaler }) { return scaler }
    let service = CoverService(decoder: try ProgramLocation.decoder.find()) { [weak self] state in
      self?.deliver { $0.problem = state.warning }
    }
    let scaler = CoverScaler(service)
    return state.withLock { state in
      if !state.isEnded { state.scaler = scaler }
      return state.scaler
    }
  }
}
