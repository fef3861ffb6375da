import Testing
import TrendyTerminal

@testable import TrendyReport

@Suite("Heat maps")
struct HeatMapChartTests {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Ten weeks from a Wednesday to a Thursday.
    private var chart: HeatMapChart {
        let weeks = (0..<10).map { week in
            (0..<7).map { day -> Int? in
                if (week == 0 && day < 2) || (week == 9 && day > 3) { return nil }
                return (week + day * 2) % 5
            }
        }
        return HeatMapChart(
            weeks: weeks,
            months: [.init(text: "Jan", week: 0), .init(text: "Feb", week: 4), .init(text: "Mar", week: 8)],
            levels: [1...1, 2...3, nil, 4...12], weekdays: Self.weekdays)
    }

    @Test("a day is a cell, denser the more it has")
    func unicode() {
        #expect(
            chart.lines(.test(24)) == [
                "    Jan     Feb     Mar",
                "Mon   ░ ▒ ▓ █ · ░ ▒ ▓ █",
                "Tue   ▓ █ · ░ ▒ ▓ █ · ░",
                "Wed █ · ░ ▒ ▓ █ · ░ ▒ ▓",
                "Thu ░ ▒ ▓ █ · ░ ▒ ▓ █ ·",
                "Fri ▓ █ · ░ ▒ ▓ █ · ░",
                "Sat · ░ ▒ ▓ █ · ░ ▒ ▓",
                "Sun ▒ ▓ █ · ░ ▒ ▓ █ ·",
                "",
                "    · 0  ░ 1  ▒ 2–3  █ …",
            ])
    }

    @Test("in ASCII, too")
    func ascii() {
        let lines = chart.lines(.test(40, isASCII: true))
        #expect(lines.prefix(3) == ["    Jan     Feb     Mar", "Mon   - + * # . - + * #", "Tue   * # . - + * # . -"])
        #expect(lines.last == "    . 0  - 1  + 2-3  # 4-12")
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test(
        "a year fits in every width, in several rows where it must", arguments: [(20, 4), (40, 2), (80, 1), (200, 1)])
    func year(columns: Int, rows: Int) {
        let weeks = [[Int?]](repeating: [Int?](repeating: 3, count: 7), count: 53)
        let months = ["Jan", "Apr", "Jul", "Oct"].enumerated().map { HeatMapChart.Label(text: $1, week: $0 * 13) }
        let lines = HeatMapChart(weeks: weeks, months: months, levels: [nil, nil, 1...9, nil], weekdays: Self.weekdays)
            .lines(.test(columns))
        #expect(lines.allSatisfy { $0.columns <= columns })
        #expect(lines.filter { $0.hasPrefix("Mon") }.count == rows)
        for month in months { #expect(lines.contains { $0.contains(month.text) }, "\(month.text)") }
        #expect(lines.joined().count { $0 == "▓" } == 53 * 7 + 1)
    }

    @Test("with colours the marks stay, so that nothing is told by colour alone")
    func colors() {
        var chart = chart
        chart.color = RGBColor(hex: "#22C55E")
        let lines = chart.lines(.test(80, colors: true))
        #expect(lines[1].contains("\u{1B}[38;2;34;197;94m▒\u{1B}[0m"))
        #expect(lines[1].contains("\u{1B}[2m·\u{1B}[0m"))
    }
}
