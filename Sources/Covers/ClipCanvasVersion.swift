/// The version of ClipCanvas, as all its programs tell it.
public enum ClipCanvasVersion {
  /// As in the change log.
  public static let current = "0.1.0"
}
