extension Collection<Double> {
    /// The arithmetic mean, also where the sum leaves the range of numbers; no number for none.
    var mean: Double {
        let sum = reduce(0, +)
        if sum.isFinite { return sum / Double(count) }
        let whole = Double(count)
        return reduce(0.0) { $0 + $1 / whole }.clampedToFinite
    }
}

extension Double {
    /// The number, or the finite one nearest to it where rounding has left the range.
    var clampedToFinite: Double {
        let limit = Double.greatestFiniteMagnitude
        return Swift.min(Swift.max(self, -limit), limit)
    }
}
