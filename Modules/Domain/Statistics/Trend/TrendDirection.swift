/// Where a series is going, with the figures that say so.
public struct TrendDirection: Sendable, Hashable {
    /// What can be said.
    public enum Kind: String, Sendable, Hashable {
        /// Later values tend to be larger, or smaller, by more than chance explains.
        case rising, falling
        /// Nothing more than chance explains.
        case unclear
        /// There are too few values to tell.
        case tooLittleData = "too_little_data"
    }

    /// What can be said.
    public let kind: Kind
    /// How many values were looked at.
    public let count: Int
    /// How many of them count as something; fewer than ``count`` where no events are a value of 0.
    public let present: Int
    /// The mean of the earlier half of the values; nil where there are fewer than two. Of an odd number the one in
    /// the middle is in neither half.
    public let earlierMean: Double?
    /// The mean of the later half of the values.
    public let laterMean: Double?
    /// Kendall's tau-b between time and value, from −1 to 1; nil where there are too few values.
    public let tau: Double?
    /// How likely values without a direction would look at least as much like one; nil where there are too few.
    public let pValue: Double?

    /// How many values it takes: below eight the test's normal approximation does not hold.
    public static let minimumCount = 8
    /// How many of the values have to be something: one or two events are no direction, however long ago they were.
    public static let minimumPresent = 3
    /// How many values are looked at, the latest; every pair of them is compared.
    public static let maximumCount = 730
    /// The largest ``pValue`` at which a direction is named.
    public static let significance = 0.05

    /// Looks at values in order of time.
    ///
    /// - Parameter zeroIsNothing: Whether a value of 0 says that there was nothing.
    init(_ all: [Double], zeroIsNothing: Bool) {
        let values = Array(all.suffix(Self.maximumCount))
        count = values.count
        present = zeroIsNothing ? values.count { $0 != 0 } : values.count
        let half = values.count / 2
        earlierMean = half == 0 ? nil : values.prefix(half).mean
        laterMean = half == 0 ? nil : values.suffix(half).mean
        guard values.count >= Self.minimumCount, present >= Self.minimumPresent, let earlierMean, let laterMean else {
            (kind, tau, pValue) = (.tooLittleData, nil, nil)
            return
        }
        let test = MannKendall(values)
        (tau, pValue) = (test.tau, test.pValue)
        let isClear = test.pValue <= Self.significance
        // Where a few extreme values make the means say the opposite of the ranks, neither is told.
        if isClear && test.tau > 0 && laterMean > earlierMean {
            kind = .rising
        } else if isClear && test.tau < 0 && laterMean < earlierMean {
            kind = .falling
        } else {
            kind = .unclear
        }
    }
}

extension TrendSeries {
    /// The direction as a sentence: `run is rising: 4.6 a week in the later half of 24 weeks, 3.2 in the earlier`.
    ///
    /// - Parameter subject: What the values are of, as `run` or `km of run`.
    public func sentence(about subject: String) -> String { sentence(about: subject, writing: figure) }

    /// The direction as a sentence whose values are written in their unit, as `17h 51m`.
    ///
    /// - Parameters:
    ///   - subject: What the values are of, as `run` or `km of run`.
    ///   - figure: Writes a value.
    public func sentence(about subject: String, writing figure: (Double) -> String) -> String {
        guard direction.kind != .tooLittleData, let earlier = direction.earlierMean, let later = direction.laterMean
        else { return shortage(of: subject) }
        let rate = aggregation == .sum ? " a \(period.rawValue)" : " on average"
        let figures =
            "\(figure(later))\(rate) in the later half of \(counted(direction.count, period.rawValue)), "
            + "\(figure(earlier)) in the earlier"
        return switch direction.kind {
        case .rising: "\(subject) is rising: \(figures)"
        case .falling: "\(subject) is falling: \(figures)"
        case .unclear, .tooLittleData: "\(subject) has no clear direction: \(figures)"
        }
    }

    /// What a direction is missing.
    private func shortage(of subject: String) -> String {
        let (count, present) = (direction.count, direction.present)
        let value = aggregation == .sum ? "" : " with a value"
        if count < TrendDirection.minimumCount {
            let whole =
                count == 0
                ? "no whole \(period.rawValue)\(value) yet"
                : "\(counted(count, "whole \(period.rawValue)"))\(value) so far"
            return "\(subject) has \(whole); it takes \(TrendDirection.minimumCount) to see a direction"
        }
        let stretches = "\(count) whole \(period.rawValue)s"
        if present == 0 { return "\(subject) has nothing in the last \(stretches), so there is no direction to see" }
        return "\(subject) has something in \(present) of \(stretches); "
            + "it takes \(TrendDirection.minimumPresent) to see a direction"
    }
}
