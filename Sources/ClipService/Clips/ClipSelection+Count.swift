internal import Dispatch

extension ClipSelection {
  /// Counts the clips by walking the folders.
  ///
  /// Returns `nil` if the list can be read only once or not at all, or if the task is cancelled.
  ///
  /// The walk runs on its own thread, because a slow disk would otherwise block one of the few threads that run tasks.
  package func count() async -> Int? {
    let cancelled = StopFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "clipcanvas.count", qos: .utility).async {
          continuation.resume(returning: count { cancelled.isSet })
        }
      }
    } onCancel: {
      cancelled.set()
    }
  }

  private func count(until isStopped: @escaping @Sendable () -> Bool) -> Int? {
    guard !listIsPassing, var source = try? ClipSource(self, isStopped: isStopped) else { return nil }
    var count = 0
    do throws(ServiceError) {
      while !isStopped() {
        guard let finding = try source.next() else { return count }
        if case .clip = finding { count += 1 }
      }
    } catch {}
    return nil
  }
}
