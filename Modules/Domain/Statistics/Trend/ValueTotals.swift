/// What some values come to together.
public struct ValueTotals: Sendable {
    private var sum = 0.0
    /// The sum in a unit so large that no number of values leaves the range.
    private var scaledSum = 0.0
    /// How many values there are.
    public private(set) var count = 0
    private var smallest = Double.infinity
    private var largest = -Double.infinity
    /// The values, as far as they are kept.
    private var values: [Double] = []

    private static let unit = 0x1p64

    /// Makes totals of no values.
    public init() {}

    /// Makes the totals of one value.
    ///
    /// - Parameter keepsValue: Whether the value itself is kept, for ``Aggregation/median``.
    public init(_ value: Double, keepsValue: Bool = false) {
        (sum, scaledSum, count, smallest, largest) = (value, value / Self.unit, 1, value, value)
        if keepsValue { values = [value] }
    }

    /// Adds the values of other totals.
    public mutating func add(_ other: ValueTotals) {
        sum += other.sum
        scaledSum += other.scaledSum
        count += other.count
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
        if !other.values.isEmpty { values += other.values }
    }

    /// What the values come to.
    ///
    /// Nil where there are none, as there is no mean of nothing; the sum and the count of nothing are 0. The median is
    /// that of the values that were kept.
    public func value(_ aggregation: Aggregation) -> Double? {
        switch aggregation {
        case .count: Double(count)
        case .sum: sum.isFinite ? sum : scaledSum * Self.unit
        case .mean: count == 0 ? nil : mean
        case .median: values.isEmpty ? nil : median
        case .min: count == 0 ? nil : smallest
        case .max: count == 0 ? nil : largest
        }
    }

    private var mean: Double {
        sum.isFinite ? sum / Double(count) : (scaledSum / Double(count) * Self.unit).clampedToFinite
    }

    /// The value in the middle, or halfway between the two that are.
    private var median: Double {
        let sorted = values.sorted()
        let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        // Halved first, because two large values may have no sum.
        return low == high ? low : low / 2 + high / 2
    }
}
