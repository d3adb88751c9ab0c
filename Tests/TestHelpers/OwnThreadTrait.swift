package import Testing

/// Runs tests on separate threads.
///
/// Tests share as many threads as the machine has cores. A test that computes for half a minute keeps one of them for
/// so long, and a test that follows a running program must not wait that long before it looks at it again.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  /// It applies to the tests of a suite.
  package var isRecursive: Bool { true }

  /// Runs a test case on a new thread.
  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
  }

  /// Returns the trait itself for a test case: a test that has several runs each on a separate thread.
  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }
}

extension Trait where Self == OwnThreadTrait {
  /// Runs each test case on a separate thread.
  package static var ownThread: Self { Self() }
}
