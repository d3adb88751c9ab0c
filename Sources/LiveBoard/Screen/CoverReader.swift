internal import ClipService
internal import Covers
internal import Files
internal import Pictures
internal import Synchronization
internal import SystemPackage

/// Reads covers in the background.
///
/// A cover file is untrusted and may be slow to decode, so a decoder process reads it, as for a clip.
final class CoverReader: Sendable {
  /// A request for a cover.
  struct Order: Sendable {
    let key: CoverCache.Key
    let path: FilePath
  }

  /// Covers that have been read.
  struct Delivery: Sendable {
    /// The pictures by key; `nil` for a cover that is missing or damaged.
    var pictures: [(key: CoverCache.Key, picture: TerminalPicture?)] = []
    /// A message that explains why covers cannot be read, or are read with an incomplete sandbox.
    var problem: String?
  }

  private struct State {
    /// The pending orders, newest last; the newest is read first because its canvas is on the screen.
    var orders: [Order] = []
    var isAtWork = false
    /// The key of the cover being read.
    var current: CoverCache.Key?
    var isEnded = false
    var delivery = Delivery()
    var scaler: CoverScaler?
  }

  private let wakeup: Wakeup
  private let capabilities: TerminalCapabilities
  private let state = Mutex(State())

  /// - Parameters:
  ///   - capabilities: The capabilities of the terminal.
  ///   - wakeup: What to signal when there is something to deliver.
  init(for capabilities: TerminalCapabilities, waking wakeup: Wakeup) {
    (self.capabilities, self.wakeup) = (capabilities, wakeup)
  }

  /// Requests a cover, which is delivered later; does nothing if the cover is already being read.
  func ask(for order: Order) {
    let startsWork = state.withLock { state in
      guard !state.isEnded, state.current != order.key else { return false }
      defer { state.isAtWork = true }
      state.orders.append(order)
      return !state.isAtWork
    }
    if startsWork { Task { await work() } }
  }

  /// Ends the decoder and the current read; nothing more is read.
  func end() async {
    let scaler = state.withLock { state in
      state.isEnded = true
      state.orders = []
      return state.scaler
    }
    await scaler?.end()
  }

  /// Cancels all pending orders; the cover being read is still delivered.
  func forgetOrders() { state.withLock { $0.orders = [] } }

  /// Returns what has been read since the last call.
  func takeDelivery() -> Delivery {
    state.withLock { state in
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

  private func deliver(_ put: (inout Delivery) -> Void) {
    state.withLock { put(&$0.delivery) }
    wakeup.signal()
  }

  private func picture(of order: Order) async -> TerminalPicture? {
    let (most, character) = (order.key.size, order.key.character)
    let (width, height) = (most.columns * character.width, most.rows * character.height)
    guard let box = SizeLimit(width: width, height: height) else { return nil }
    do throws(ServiceError) {
      guard let scaler = try scaler(), case .success(let scaled) = try await scaler.scale(order.path, .fitting(box)),
        let picture = try? Picture(readingPNGFrom: scaled.file.descriptor.rawValue, maximumPixels: width * height)
      else { return nil }
      return TerminalPicture(picture, fitting: most, capabilities: capabilities, character: character)
    } catch {
      deliver { $0.problem = error.description }
      return nil
    }
  }

  /// Returns the scaler, creating it on first use; `nil` after the end.
  ///
  /// Called only by the task that reads covers.
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
