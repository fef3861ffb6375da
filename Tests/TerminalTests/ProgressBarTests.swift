import Testing

@testable import TrendyTerminal

@Suite("Lines that show how far something is")
struct ProgressBarTests {
    private func bar(_ done: Int, _ total: Int?, seconds: Int = 3) -> ProgressBar {
        ProgressBar(doing: "importing", unit: "rows", done: done, total: total, elapsed: .seconds(seconds))
    }

    private let ascii = ProgressBar.Look(style: Style(isTerminal: false, environment: [:]), isASCII: true)
    private let colored = ProgressBar.Look(style: Style(isTerminal: true, environment: [:]), isASCII: false)

    @Test("the line says how far, of how much, and how long the rest takes")
    func whole() {
        #expect(
            bar(2500, 10_000).text(columns: 99, look: ascii)
                == "importing  [#########.............................]   25 %  2,500 of 10,000 rows  9s left")
        #expect(
            bar(10_000, 10_000).text(columns: 79, look: ascii)
                == "importing  [####################################]  100 %  10,000 of 10,000 rows")
        #expect(bar(0, 10, seconds: 0).text(columns: 40, look: ascii).hasPrefix("importing  [......"))
    }

    @Test("without a known end it counts")
    func counting() {
        #expect(bar(1_234_567, nil).text(columns: 79, look: ascii) == "importing  1,234,567 rows")
        #expect(bar(5, 0).text(columns: 79, look: ascii) == "importing  5 rows")
        var bar = bar(0, nil)
        bar.unit = ""
        #expect(bar.text(columns: 79, look: ascii) == "importing")
    }

    @Test("it fits into any width", arguments: [(3, Int?.some(1000)), (2_000_000_000, 2_000_000_001), (12, nil)])
    func widths(done: Int, total: Int?) {
        for columns in 1...200 {
            let plain = bar(done, total).text(columns: columns, look: ascii)
            #expect(plain.columns <= columns, "\(columns): \(plain)")
            let text = bar(done, total).text(columns: columns, look: colored)
            #expect(text.filter { $0 == "━" }.count <= 40)
        }
        #expect(bar(3, 1000).text(columns: 30, look: ascii) == "importing  [..........]    0 %")
        #expect(bar(3, 1000).text(columns: 20, look: ascii) == "importing    0 %")
    }

    @Test("more than there should be is no more than all")
    func beyond() {
        #expect(bar(12, 10).text(columns: 79, look: ascii).contains("100 %  12 of 12 rows"))
    }

    @Test("colours are for those who want them")
    func colors() {
        #expect(bar(5, 10).text(columns: 79, look: colored).contains("\u{1B}["))
        #expect(!bar(5, 10).text(columns: 79, look: ascii).contains("\u{1B}"))
    }
}
