/// Exact tests of a count: the chance of a count at least as far from the expected one.
///
/// The tests are two-sided: the result is twice the smaller tail, at most 1.
struct CountTest {
    /// The expected count.
    let expected: Double
    /// The chance of a count at least as extreme.
    let pValue: Double

    /// Of the marked ones among some that were drawn, without putting back, from a population.
    ///
    /// The hypergeometric distribution, as in Fisher's exact test (R. A. Fisher, "Statistical Methods for Research
    /// Workers", 1934): it holds whenever each choice of that many days was equally likely.
    static func drawn(_ observed: Int, of draws: Int, marked: Int, population: Int) -> CountTest {
        let expected = population > 0 ? Double(draws) * Double(marked) / Double(population) : 0
        let least = max(0, draws + marked - population)
        let most = min(draws, marked)
        return CountTest(observed, expected: expected, support: least...max(least, most)) { count in
            let more = Double(marked - count) * Double(draws - count)
            return more / (Double(count + 1) * Double(population - marked - draws + count + 1))
        }
    }

    /// Of the successes among independent trials, each with the same chance: the binomial distribution.
    static func successes(_ observed: Int, of trials: Int, chance: Double) -> CountTest {
        CountTest(observed, expected: Double(trials) * chance, support: 0...max(0, trials)) { count in
            Double(trials - count) / Double(count + 1) * chance / (1 - chance)
        }
    }

    /// - Parameter ratio: The weight of the count after this one, divided by the weight of this one.
    private init(_ observed: Int, expected: Double, support: ClosedRange<Int>, ratio: (Int) -> Double) {
        self.expected = expected
        // The weights are those relative to a count in the middle, so that no factorial is needed.
        let middle = min(max(Int(expected), support.lowerBound), support.upperBound)
        var (below, above, all) = (0.0, 0.0, 0.0)
        func add(_ weight: Double, _ count: Int) {
            all += weight
            if count <= observed { below += weight }
            if count >= observed { above += weight }
        }
        var weight = 1.0
        var count = middle
        add(weight, count)
        while count < support.upperBound, weight > 0 {
            weight *= ratio(count)
            count += 1
            add(weight, count)
        }
        weight = 1
        count = middle
        while count > support.lowerBound, weight > 0 {
            count -= 1
            let step = ratio(count)
            weight = step > 0 ? weight / step : 0
            add(weight, count)
        }
        pValue = min(1, 2 * min(below, above) / all)
    }
}
