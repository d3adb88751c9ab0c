/// A view that a viewport shows in addition to its cells, such as a header.
///
/// The protocol contains the operations of a cell that do not depend on the type of its model.
public protocol DisplayedView: AnyObject, Sendable {
  /// Registers with the model that the view is configured for, and draws immediately.
  func beginDisplaying()
  /// Removes the registrations and releases the model.
  func endDisplaying()
  /// Removes the registrations and keeps what is drawn.
  func suspend()
  /// Registers again and draws, once, what has changed in the meantime.
  func resume()
}

extension Cell: DisplayedView {
  /// Binds to the model that the cell is configured for, if any.
  public func beginDisplaying() {
    if let model { bind(to: model) }
  }

  /// Unbinds the cell.
  public func endDisplaying() { unbind() }
}

/// The place of a supplementary view: the kind of view and its section.
public struct SupplementaryPlace: Hashable, Sendable {
  /// The kind of a supplementary view.
  public enum Kind: Hashable, Sendable {
    /// A view above a section.
    case header
    /// A view below a section.
    case footer
    /// Any other view.
    case other(String)
  }

  /// The kind of the view.
  public let kind: Kind
  /// The index of the section, from 0.
  public let section: Int

  /// Creates a place.
  public init(_ kind: Kind, section: Int) {
    self.kind = kind
    self.section = section
  }
}
