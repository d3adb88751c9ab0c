import TestSupport

extension SeededNumbers {
  /// Returns a number with a random order of magnitude, so that small and large numbers are equally frequent.
  mutating func number(upTo most: Int) -> Int {
    let bits = Int.random(in: 1...(Int.bitWidth - most.leadingZeroBitCount), using: &self)
    return min(most, max(1, Int(next() >> UInt64(64 - bits))))
  }
}
