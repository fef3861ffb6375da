import Testing

@testable import TrendyTerminal

@MainActor
@Suite("What a command knows of its terminal")
struct ScreenTests {
    private func screen(_ size: TerminalSize?, _ environment: [String: String] = [:], isASCII: Bool = false) -> Screen {
        Screen(size.map { Output(terminal: $0) } ?? Output(), environment: environment, isASCII: isASCII)
    }

    @Test("lines fit the terminal; in a pipe they have no limit, and charts take 80 columns")
    func size() {
        let terminal = screen(TerminalSize(columns: 132, rows: 43))
        #expect(terminal.limit == 132 && terminal.width == 132 && terminal.rows == 43)
        let pipe = screen(nil)
        #expect(pipe.limit == nil && pipe.width == 80 && pipe.rows == nil)
    }

    @Test(
        "COLUMNS decides where it is a number, within what can be drawn",
        arguments: [("100", 100), ("0", 132), ("-5", 132), ("many", 132), ("", 132), ("3", 20), ("999999", 1000)])
    func columns(text: String, expected: Int) {
        #expect(screen(TerminalSize(columns: 132, rows: 43), ["COLUMNS": text]).limit == expected)
    }

    @Test("COLUMNS limits the lines in a pipe, too, and makes no terminal of it")
    func columnsInPipe() {
        let pipe = screen(nil, ["COLUMNS": "60"])
        #expect(pipe.limit == 60 && pipe.rows == nil && !pipe.style.isOn)
    }

    @Test("colours are exact where the terminal says that it has them, else the nearest of 256, else none")
    func colors() throws {
        let size = TerminalSize(columns: 80, rows: 24)
        let blue = try #require(RGBColor(hex: "#3B82F6"))
        let colored = { (environment: [String: String]) in screen(size, environment).style.colored("x", blue) }
        #expect(colored(["COLORTERM": "truecolor"]) == "\u{1B}[38;2;59;130;246mx\u{1B}[0m")
        #expect(colored(["COLORTERM": "24bit", "NO_COLOR": ""]) == "\u{1B}[38;2;59;130;246mx\u{1B}[0m")
        #expect(colored([:]) == "\u{1B}[38;5;69mx\u{1B}[0m")
        #expect(colored(["COLORTERM": "truecolor", "NO_COLOR": "1"]) == "x")
        #expect(colored(["COLORTERM": "truecolor", "TERM": "dumb"]) == "x")
        #expect(screen(nil, ["COLORTERM": "truecolor"]).style.colored("x", blue) == "x")
    }

    @Test(
        "the nearest of the 256 colours is found in the cube and among the greys",
        arguments: [
            ("#000000", 16), ("#FFFFFF", 231), ("#FF0000", 196), ("#5F87AF", 67), ("#808080", 244), ("#6B7280", 243),
            ("#EEEEEE", 255), ("#080808", 232),
        ])
    func palette(hex: String, index: Int) throws {
        #expect(try #require(RGBColor(hex: hex)).paletteIndex == index)
    }

    @Test("what is no colour is none", arguments: ["", "3B82F6", "#3B82F", "#3B82F6A", "#GGGGGG", "#+12345", "blue"])
    func noColor(hex: String) {
        #expect(RGBColor(hex: hex) == nil)
    }
}
