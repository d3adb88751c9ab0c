// A dispatch source may be used from any thread, but Dispatch does not declare it Sendable.
@preconcurrency internal import Dispatch
internal import Glibc
internal import Synchronization

/// Catches the signals that end a program, so that the work can stop in a consistent state.
///
/// A second signal ends the program immediately. So does the first one after some time, if the work cannot stop because
/// it waits for something else, such as a pipe without a writer.
final class Interruption: Sendable {
  private let sources: [any DispatchSourceSignal]
  private let received = Mutex<Int32?>(nil)

  /// The signals for Ctrl-C, a request to terminate, and a closed terminal.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// The time that the work has to stop.
  private static let patience = DispatchTimeInterval.seconds(20)

  /// - Parameter stop: A closure called once, on the first signal.
  init(stop: @escaping @Sendable () -> Void) {
    // A signal that was ignored when the program started, for example by nohup, remains ignored.
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
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { self.endProgram() }
        stop()
      }
      source.resume()
    }
    func signal(handling number: Int32) -> any DispatchSourceSignal {
      Glibc.signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number)
    }
  }

  /// The signal received, if any.
  var signal: Int32? { received.withLock { $0 } }

  /// Ends the program with the signal received, if any, so that the parent process sees the cause.
  func endProgram() {
    guard let signal else { return }
    Glibc.signal(signal, SIG_DFL)
    // Dispatch blocks the signals it monitors.
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
