import Testing
import TrendyTerminal

@testable import TrendyReport

@Suite("Bars")
struct BarChartTests {
    private let chart = BarChart(bars: [
        .init(label: "coffee", value: 120, figure: "120", color: RGBColor(hex: "#3B82F6")),
        .init(label: "日本", value: 37.5, figure: "37.5"),
        .init(label: "tea", value: 0.1, figure: "0.1"),
        .init(label: "none", value: 0, figure: "0"),
    ])

    @Test("the longest takes all the room, the others their share of it to an eighth of a column")
    func unicode() {
        #expect(
            chart.lines(.test(40)) == [
                "coffee  ███████████████████████████ 120",
                "日本    ████████▌ 37.5",
                "tea     ▏ 0.1",
                "none    0",
            ])
    }

    @Test("in ASCII each column is one of the same")
    func ascii() {
        #expect(
            chart.lines(.test(40, isASCII: true)) == [
                "coffee  ########################### 120",
                "日本    ######## 37.5",
                "tea     # 0.1",
                "none    0",
            ])
    }

    @Test("a bar has the colour that it is given")
    func color() {
        let line = chart.lines(.test(40, colors: true)).first
        #expect(line == "coffee  \u{1B}[38;2;59;130;246m███████████████████████████\u{1B}[0m 120")
    }

    @Test("lines fit, and long labels are cut", arguments: [20, 40, 80, 200], [false, true])
    func fits(columns: Int, isASCII: Bool) {
        var chart = chart
        chart.bars.append(.init(label: "a type with a name that is much too long for this", value: 5, figure: "5"))
        let lines = chart.lines(.test(columns, isASCII: isASCII))
        #expect(lines.allSatisfy { $0.columns <= columns }, "\(lines)")
        #expect(lines.contains { $0.columns >= columns - 1 })
    }

    @Test("values that cannot be drawn draw nothing", arguments: [-1, -Double.infinity, .nan, .infinity])
    func strange(value: Double) {
        let chart = BarChart(bars: [
            .init(label: "a", value: value, figure: "?"), .init(label: "b", value: 1, figure: "1"),
        ])
        #expect(chart.lines(.test(20)).first == "a  ?")
        #expect(BarChart(bars: []).lines(.test(20)).isEmpty)
    }
}

extension Screen {
    /// A screen of that many columns.
    static func test(_ columns: Int, isASCII: Bool = false, colors: Bool = false) -> Screen {
        Screen(
            limit: columns, style: Style(isTerminal: colors, environment: ["COLORTERM": "truecolor"]),
            glyphs: isASCII ? .ascii : .unicode)
    }
}
