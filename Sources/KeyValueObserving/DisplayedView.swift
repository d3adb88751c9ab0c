/// A view that a viewport shows beside its cells, such as a header: what of a cell does not depend on its model's type.
public protocol DisplayedView: AnyObject, Sendable {
  /// Registers with the model that the view is configured for, and draws at once.
  func beginDisplaying()
  /// Ends the registrations for good and lets go of the model.
  func endDisplaying()
  /// Ends the registrations and keeps what is drawn.
  func suspend()
  /// Registers again and draws what has changed meanwhile, once.
  func resume()
}

extension Cell: DisplayedView {
  /// Binds to the model that the cell is configured for; without one it does nothing.
  public func beginDisplaying() {
    if let model { bind(to: model) }
  }

  /// Unbinds.
  public func endDisplaying() { unbind() }
}

/// Where a view beside the cells stands: one kind of view in one section.
public struct SupplementaryPlace: Hashable, Sendable {
  /// Which kind of view.
  public enum Kind: Hashable, Sendable {
    /// Above a section.
    case header
    /// Below a section.
    case footer
    /// Any other.
    case other(String)
  }

  /// Which kind of view.
  public let kind: Kind
  /// Which section, from 0.
  public let section: Int

  /// Makes a place.
  public init(_ kind: Kind, section: Int = 0) {
    self.kind = kind
    self.section = section
  }
}
