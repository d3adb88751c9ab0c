internal import TestSupport
package import Testing

/// Waits until a condition is met, which takes too long only if it never is.
package func eventually(
  _ what: Comment,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(60)
  while try await !condition() {
    try #require(ContinuousClock.now < deadline, what, sourceLocation: sourceLocation)
    try await pause(.milliseconds(10))
  }
}
