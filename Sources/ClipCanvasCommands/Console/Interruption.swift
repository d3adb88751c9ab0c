// A dispatch source may be used from any thread; Dispatch does not say so to the compiler.
@preconcurrency internal import Dispatch
internal import Glibc
internal import Synchronization

/// Turns the signals that end a program into the end of a task, so that it stops where nothing is half done.
///
/// The second signal ends the program at once.
final class Interruption: Sendable {
  private let sources: [any DispatchSourceSignal]
  private let received = Mutex<Int32?>(nil)

  /// The signals: Ctrl-C, a polite end, and the terminal that goes away.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// - Parameter stop: Called once, when the first of the signals comes.
  init(stop: @escaping @Sendable () -> Void) {
    // A signal that was ignored when the program was started, as by nohup, stays so.
    let signals = Self.signals.filter { !Self.isIgnored($0) }
    sources = signals.map { signal(handling: $0) }
    for (source, number) in zip(sources, signals) {
      source.setEventHandler { [self] in
        let isFirst = received.withLock { received in
          defer { received = received ?? number }
          return received == nil
        }
        for other in signals {
          Glibc.signal(other, SIG_DFL)
        }
        if isFirst { stop() }
      }
      source.resume()
    }
    func signal(handling number: Int32) -> any DispatchSourceSignal {
      Glibc.signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number)
    }
  }

  /// The signal that came, if one did.
  var signal: Int32? { received.withLock { $0 } }

  /// Ends the program by the signal that came, if one did, as its parent expects.
  func endProgram() {
    guard let signal else { return }
    Glibc.signal(signal, SIG_DFL)
    // Dispatch keeps the signals it watches blocked.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(signal)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
