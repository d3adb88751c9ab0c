/// The version of ClipCanvas, as reported by all its programs.
public enum ClipCanvasVersion {
  /// The version as listed in the change log.
  public static let current = "0.1.0"
}
