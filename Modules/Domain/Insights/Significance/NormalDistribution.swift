import Foundation

/// Tails of the standard normal distribution, and of Student's by way of it.
enum NormalDistribution {
    /// The chance that a standard normal value is at least that far from 0, on either side.
    static func twoSided(_ distance: Double) -> Double {
        distance.isNaN ? 1 : erfc(abs(distance) / 2.0.squareRoot())
    }

    /// The chance that a value of Student's distribution is at least that far from 0, on either side.
    ///
    /// By the transformation of D. L. Wallace, "Bounds on normal approximations to Student's and the chi-square
    /// distributions", Annals of Mathematical Statistics 30 (1959). For five degrees of freedom it is a tenth too large
    /// at one chance in a thousand, which is the cautious side, and the closer the more degrees there are.
    static func studentTwoSided(_ t: Double, degreesOfFreedom: Int) -> Double {
        guard t.isFinite else { return t.isNaN ? 1 : 0 }
        let degrees = Double(max(1, degreesOfFreedom))
        let distance = (degrees * log1p(t * t / degrees)).squareRoot()
        return twoSided(distance * (8 * degrees + 1) / (8 * degrees + 3))
    }
}
