package import Covers

/// A clip to compose: an open file, and what was measured in it.
package struct MeasuredFile: Sendable {
  package let file: OpenClip
  package let measure: ClipMeasure

  package init(_ file: OpenClip, _ measure: ClipMeasure) {
    (self.file, self.measure) = (file, measure)
  }
}
