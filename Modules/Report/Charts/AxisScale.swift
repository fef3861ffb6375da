/// The round numbers at which an axis is labelled.
struct AxisScale: Equatable {
    let lowest: Double
    let highest: Double
    /// In ``unit``, as what follows.
    private let step: Double
    private let low: Double
    private let high: Double
    /// The unit of the calculation: differences of the largest numbers would overflow without it.
    private let unit: Double

    /// The scale of values between two.
    ///
    /// Steps are 1, 2 or 5 times a power of ten (Heckbert, "Nice Numbers for Graph Labels", Graphics Gems, 1990); the
    /// axis begins at zero where the values do not lie far from it compared with how much they differ.
    ///
    /// - Parameters:
    ///   - most: How many steps there may be; the bounds can take one more.
    ///   - isWhole: Whether all steps are whole numbers, as for counts.
    init(from least: Double, to largest: Double, most: Int, isWhole: Bool = false) {
        unit = max(abs(least), abs(largest)) > Self.limit ? 1e10 : 1
        let bounds = [least / unit, largest / unit]
        var (low, high) = (bounds.min() ?? 0, bounds.max() ?? 0)
        if high - low < 1 / Self.limit { high = low }
        if low > 0, low < 2 * (high - low) || low == high { low = 0 }
        if high < 0, -high < 2 * (high - low) || low == high { high = 0 }
        if high - low < 1 / Self.limit { high = low + 1 }
        step = max(isWhole ? 1 / unit : 0, Self.niceStep((high - low) / Double(max(1, most))))
        self.low = (low / step).rounded(.down) * step
        self.high = (high / step).rounded(.up) * step
        lowest = Self.finite(self.low * unit)
        highest = Self.finite(self.high * unit)
    }

    /// The nearest finite number.
    private static func finite(_ number: Double) -> Double {
        min(max(number, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    }

    /// Larger numbers are divided by a unit.
    private static let limit = 1e300

    /// The labelled values from the lowest to the highest.
    var ticks: [Double] {
        (0...Int(((high - low) / step).rounded())).map { Self.finite((low + Double($0) * step) * unit) }
    }

    /// Where a value lies: 0 at the lowest, 1 at the highest.
    func share(_ value: Double) -> Double {
        (min(max(value / unit, low), high) - low) / (high - low)
    }

    private static func niceStep(_ rough: Double) -> Double {
        var power = 1.0
        while power * 10 <= rough { power *= 10 }
        while power > rough { power /= 10 }
        // Rounding must not make a step too small by a hair.
        let multiple = rough / power * (1 - 1e-12)
        return power * (multiple <= 1 ? 1 : multiple <= 2 ? 2 : multiple <= 5 ? 5 : 10)
    }
}
