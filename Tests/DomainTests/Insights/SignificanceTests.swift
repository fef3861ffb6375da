import Testing

@testable import TrendyDomain

/// Compared with values that are in the books, or can be counted by hand.
@Suite("tests of significance")
struct SignificanceTests {
    private func isClose(_ value: Double, _ expected: Double, within part: Double = 1e-6) -> Bool {
        abs(value - expected) <= part * abs(expected)
    }

    @Test("all four cups of tea right of eight has a chance of one in seventy on its side")
    func hypergeometric() {
        #expect(isClose(CountTest.drawn(4, of: 4, marked: 4, population: 8).pValue, 2.0 / 70))
        #expect(isClose(CountTest.drawn(3, of: 4, marked: 4, population: 8).pValue, 34.0 / 70))
        #expect(CountTest.drawn(2, of: 4, marked: 4, population: 8).pValue == 1)
        #expect(isClose(CountTest.drawn(0, of: 3, marked: 2, population: 10).pValue, 14.0 / 15))
        // Impossible to have fewer than two here: nothing is unlikely about them.
        #expect(CountTest.drawn(2, of: 4, marked: 4, population: 6).pValue <= 1)
        #expect(CountTest.drawn(0, of: 0, marked: 0, population: 0).pValue == 1)
    }

    @Test("nine heads in ten throws has a chance of eleven in 1024 on its side")
    func binomial() {
        #expect(isClose(CountTest.successes(9, of: 10, chance: 0.5).pValue, 22.0 / 1024))
        #expect(isClose(CountTest.successes(0, of: 5, chance: 0.2).pValue, 2 * 0.8 * 0.8 * 0.8 * 0.8 * 0.8))
        #expect(CountTest.successes(0, of: 0, chance: 0.5).pValue == 1)
        let many = CountTest.successes(500_000, of: 1_000_000, chance: 0.5)
        #expect(many.pValue == 1 && many.expected == 500_000)
        #expect(CountTest.successes(900_000, of: 1_000_000, chance: 0.5).pValue == 0)
    }

    @Test("the tails of the normal and of Student's distribution are those of the tables")
    func tails() {
        #expect(isClose(NormalDistribution.twoSided(1.959964), 0.05, within: 1e-5))
        // The critical values of t for 5 and 30 degrees of freedom.
        #expect(isClose(NormalDistribution.studentTwoSided(2.570582, degreesOfFreedom: 5), 0.05, within: 0.01))
        #expect(isClose(NormalDistribution.studentTwoSided(6.868827, degreesOfFreedom: 5), 0.001, within: 0.1))
        #expect(isClose(NormalDistribution.studentTwoSided(3.645959, degreesOfFreedom: 30), 0.001, within: 0.01))
        #expect(NormalDistribution.studentTwoSided(.nan, degreesOfFreedom: 5) == 1)
        #expect(NormalDistribution.studentTwoSided(.infinity, degreesOfFreedom: 5) == 0)
    }

    @Test("two groups that do not overlap differ")
    func rankSum() {
        #expect(isClose(RankSumTest([1, 2, 3, 4, 5], others: [6, 7, 8, 9, 10]).pValue, 0.012186, within: 1e-3))
        #expect(RankSumTest([1, 1, 1], others: [1, 1]).pValue == 1)
        #expect(RankSumTest([], others: [1, 1]).pValue == 1)
    }

    @Test("ten values in order have a tau of 1, and ties take their share of the variance")
    func mannKendall() {
        let rising = MannKendall((1...10).map(Double.init))
        #expect(rising.tau == 1 && isClose(rising.pValue, 8.3e-5, within: 0.01))
        #expect(MannKendall((1...10).reversed().map(Double.init)).tau == -1)
        // Of ten pairs two are tied and the other eight rise.
        let tied = MannKendall([1, 1, 2, 2, 3])
        #expect(isClose(tied.tau, 8 / (10.0 * 8).squareRoot()))
        let variance = (5.0 * 4 * 15 - 2 * (2 * 1 * 9)) / 18
        #expect(isClose(tied.pValue, NormalDistribution.twoSided(7 / variance.squareRoot())))
        #expect(MannKendall([]).pValue == 1 && MannKendall([4]).pValue == 1)
    }

    @Test("of many questions only those are claimed that stand out among them")
    func falseDiscovery() {
        func claims(_ values: [Double]) -> [Double] { FalseDiscovery.claims(values, rate: 0.05) { $0 } }
        #expect(claims([0.04]) == [0.04] && claims([0.04, 0.5]) == [])
        // The example of Benjamini and Hochberg (1995), table of 15 comparisons: four are claimed.
        let published = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0000,
        ]
        #expect(claims(published.reversed()) == [0.0001, 0.0004, 0.0019, 0.0095])
        #expect(claims([]) == [])
    }

    @Test("figures are written with a point, and without digits that say nothing")
    func figures() {
        let written = [3.14159, 12, 0.256, -0.5, 0.999, 99.95, 0, -3.04, 0.001].map(figure)
        #expect(written == ["3.1", "12", "0.26", "-0.5", "1", "100", "0", "-3", "0"])
        #expect(listed([]) == "" && listed(["a"]) == "a" && listed(["a", "b", "c"]) == "a, b and c")
    }
}

@Suite("the test of amounts")
struct AmountAssociationTests {
    @Test("two numbers that merely both rise are related as seldom as the level of the test says")
    func rising() {
        let start = CalendarDay(daysSince1970: 20_000)
        let found = (0..<400).filter { seed in
            var dice = Dice(seed: seed)
            let days = (0..<60).map { day in
                AmountAssociation.Day(
                    place: day, weekday: start.advanced(by: day).weekday, first: dice.unit() + Double(day) / 20,
                    second: dice.unit() + Double(day) / 20)
            }
            return AmountAssociation(days).map { $0.pValue < 0.05 } ?? false
        }
        // 20 are expected by chance. More than 35 are so in fewer than 1 of 1,000 cases.
        #expect(found.count <= 35, "\(found.count) of 400")
    }
}
