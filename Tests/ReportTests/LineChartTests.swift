import Testing
import TrendyNotation
import TrendyTerminal

@testable import TrendyReport

@Suite("Lines")
struct LineChartTests {
    private let chart = LineChart(
        points: [4, 8, 6, nil, 10, 12, 9, 14].enumerated().map { number, value in
            let average: Double? = number < 2 ? nil : 6 + Double(number)
            return LineChart.Point(label: "W\(number + 10)", value: value, average: average)
        })

    @Test("values are marks, the average a line of dots, and both axes are labelled")
    func unicode() {
        #expect(
            chart.lines(.test(40)) == [
                "15 ┤",
                "   │                              ⢀⣀⠤⠤•",
                "   │                      ⣀⣀•⠤⠒⠒⠊⠉⠁",
                "10 ┤                ⣀⡠⠤•⠊⠉",
                "   │     •    ⠤⠔⠒⠒⠉⠉             •",
                "   │          •",
                " 5 ┤",
                "   │•",
                "   │",
                " 0 ┤",
                "   └───────────────────────────────────",
                "    W10       W12      W14       W16",
            ])
    }

    @Test("in ASCII, too")
    func ascii() {
        let lines = chart.lines(.test(40, isASCII: true))
        #expect(lines.first == "15 +" && lines[4] == "   |     o    ......             o", "\(lines)")
        #expect(lines.suffix(2).first == "   +-----------------------------------")
        #expect(lines.joined().contains("..."))
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test("any number of points fits into any width", arguments: [20, 80, 200], [1, 2, 7, 500])
    func fits(columns: Int, count: Int) {
        let points = (0..<count).map {
            LineChart.Point(label: "2026-W\($0)", value: Double($0 * 37 % 101) * 1000, average: Double($0))
        }
        let lines = LineChart(points: points).lines(.test(columns))
        #expect(lines.count >= 10)
        #expect(lines.allSatisfy { $0.columns <= columns }, "\(lines)")
        #expect(lines.joined().contains("•"))
        #expect(lines.last?.contains("2026-W0") == true)
    }

    @Test("where there is no value there is no chart")
    func nothing() {
        #expect(LineChart(points: []).lines(.test(80)).isEmpty)
        #expect(LineChart(points: [.init(label: "W1", value: .nan, average: nil)]).lines(.test(80)).isEmpty)
    }
}

@Suite("The labels of an axis")
struct AxisScaleTests {
    @Test(
        "steps are round, and zero is there unless it lies far off",
        arguments: [
            (3.0, 47.0, [0.0, 20, 40, 60]), (100, 101, [100, 100.5, 101]), (5, 5, [0, 2, 4, 6]),
            (-3, 8, [-5, 0, 5, 10]), (0, 0, [0, 0.5, 1]), (-101, -100, [-101, -100.5, -100]),
            (0, 0.004, [0, 0.002, 0.004]),
            (1e6, 9e6, [0, 5e6, 1e7]),
        ])
    func ticks(least: Double, largest: Double, expected: [Double]) {
        let ticks = AxisScale(from: least, to: largest, most: 3).ticks
        #expect(ticks.count == expected.count)
        #expect(zip(ticks, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(ticks)")
    }

    @Test(
        "counts have steps of whole numbers",
        arguments: [
            (0.0, 0.0, [0.0, 1]), (0, 1, [0, 1]), (6, 7, [6, 7]), (0, 2, [0, 1, 2]), (0, 47, [0, 20, 40, 60]),
        ])
    func wholeTicks(least: Double, largest: Double, expected: [Double]) {
        #expect(AxisScale(from: least, to: largest, most: 3, isWhole: true).ticks == expected)
    }

    @Test("the figures at the axis of a chart are the same number of rows apart", arguments: [20, 80, 100, 160])
    func evenRows(columns: Int) {
        for largest in [3.0, 7, 12, 47, 99, 1200] {
            let lines = LineChart(points: [.init(label: "W1", value: 0), .init(label: "W2", value: largest)])
                .lines(.test(columns))
            let rows = lines.indices.filter { lines[$0].contains("┤") }
            #expect(Set(zip(rows, rows.dropFirst()).map { $1 - $0 }).count == 1, "\(lines)")
            #expect(rows.first == 0 && rows.last == lines.count - 3)
        }
    }

    @Test("the largest numbers have an axis that reaches to them")
    func largest() {
        let scale = AxisScale(from: 0, to: 1e308, most: 4)
        #expect(scale.ticks.map { FigureText.text($0) }.last?.hasSuffix("e308") == true, "\(scale.ticks)")
        #expect(scale.share(5e307) < scale.share(1e308) && scale.share(1e308) > 0.8)
    }

    @Test(
        "every value has a place between the ends",
        arguments: [
            (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude),
            (.leastNonzeroMagnitude, 2 * .leastNonzeroMagnitude), (1e15, 1e15 + 1),
            (0, Double.greatestFiniteMagnitude), (-0.0, 0.0),
        ])
    func extremes(least: Double, largest: Double) {
        let scale = AxisScale(from: least, to: largest, most: 4)
        #expect(scale.ticks.count < 20)
        #expect((0...1).contains(scale.share(min(max(least, scale.lowest), scale.highest))))
    }

    @Test(
        "figures are short, with a point",
        arguments: [
            (12.0, "12"), (3.14159, "3.1"), (0.25, "0.25"), (0.004, "0.004"), (-0.5, "-0.5"), (1e300, "1e300"),
            (1.0000000000000002e300, "1e300"), (1_000_123_457_789_012, "1,000,123,457,789,012"),
            (125_015_432_223_626.5, "125,015,432,223,627"), (1.2e-5, "0.000012"), (1.23456789e-9, "1.23457e-9"),
            (0.1 + 0.2, "0.3"), (37.0 / 3, "12.3"), (7.25, "7.25"), (7.254, "7.3"), (0.125, "0.125"), (0.1254, "0.13"),
            (184.5, "184.5"), (184.4567, "184"), (1234.5, "1,234.5"), (-1234.56, "-1,235"), (99.96, "100"),
        ])
    func figures(number: Double, text: String) {
        #expect(FigureText.text(number) == text)
    }

    @Test(
        "counts have a comma between thousands",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
    func counts(number: Int, text: String) {
        #expect(FigureText.text(number) == text)
    }
}
