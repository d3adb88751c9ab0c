import KeyValueObserving

/// A model whose getters, setters and values use the model that contains them.
struct Household: Sendable {
  let home: Box<Observed<Household>>
  var count = 1 {
    didSet { home.get?.edits += 1 }
  }
  var edits = 0
  var reads = 0
  var child: Child?

  /// Reads another key of the model, and counts that in the model.
  var countOfModel: Int {
    home.get?.reads += 1
    return home.get?.count ?? -1
  }

  /// Writes other keys of the model.
  var both: Int {
    get { count }
    set {
      count = newValue
      home.get?.reads = newValue
    }
  }

  /// A value whose deinitialiser reads and writes the model.
  final class Child: Sendable {
    let home: Box<Observed<Household>>
    let told: Record<String>

    init(_ home: Box<Observed<Household>>, _ told: Record<String>) { (self.home, self.told) = (home, told) }

    deinit {
      told.append("child freed at \(home.get?.count ?? -1)")
      home.get?.reads += 1
    }
  }
}
