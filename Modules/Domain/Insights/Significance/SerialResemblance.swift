/// How much two series of days resemble themselves some days later.
///
/// A test counts an occasion that lasts for days as several. The variance of a correlation is larger then.
/// Sources: M. S. Bartlett, "Some aspects of the time-correlation problem", Journal of the Royal Statistical Society 98
/// (1935), as used by B. J. Pyper and R. M. Peterman, "Comparison of methods to account for autocorrelation in
/// correlation analyses of fish data", Canadian Journal of Fisheries and Aquatic Sciences 55 (1998).
enum SerialResemblance {
    /// The largest number of days between the compared days.
    private static let longestLag = 28

    /// The factor of the variance of a correlation; never less than 1.
    ///
    /// - Parameters:
    ///   - first: One series by days, as differences from what is expected; 0 on days that do not count.
    ///   - second: The other series, of the same days.
    static func inflation(_ first: [Double], _ second: [Double]) -> Double {
        let length = first.count
        let squares = (products(first, lag: 0), products(second, lag: 0))
        guard squares.0 > 0, squares.1 > 0 else { return 1 }
        let longest = min(longestLag, length / 4)
        // What is expected is made of days some whole weeks apart: these differ from their own mean, and so from each
        // other.
        let lags = stride(from: 1, through: longest, by: 1).filter { $0 % 7 > 0 }
        let sum = lags.reduce(0.0) { sum, lag in
            // Each is divided by all days rather than by those of its pairs, which is the factor (1 − lag / length).
            let resemblance = products(first, lag: lag) / squares.0 * (products(second, lag: lag) / squares.1)
            return sum + resemblance * Double(length) / Double(length - lag)
        }
        return max(1, 1 + 2 * sum)
    }

    private static func products(_ values: [Double], lag: Int) -> Double {
        var sum = 0.0
        for index in lag..<max(lag, values.count) { sum += values[index] * values[index - lag] }
        return sum
    }
}
