/// A write made inside an access to the same model.
@usableFromInline
final class NestedWrite<Model: Sendable> {
  private let write: (inout Model) -> Void
  private var isBeingApplied = false

  init(_ write: @escaping (inout Model) -> Void) { self.write = write }

  /// Applies the write, unless the calling code is part of it, such as the setter of a computed property.
  @usableFromInline
  func apply(to model: inout Model) {
    guard !isBeingApplied else { return }
    isBeingApplied = true
    write(&model)
    isBeingApplied = false
  }
}
