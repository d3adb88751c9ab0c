/// The version of ClipCanvas, as reported by all its programs.
package enum ClipCanvasVersion {
  /// The version as listed in the change log.
  package static let current = "0.1.0"
}
