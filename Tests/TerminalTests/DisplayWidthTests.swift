import Testing

@testable import TrendyTerminal

@Suite("The columns that a text takes")
struct DisplayWidthTests {
    @Test(
        "each kind of character takes as many as terminals give it",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("\u{1100}\u{1161}\u{11A8}", 2),
            ("ｶﾅ", 2), ("ＡＢ", 4), ("、。", 4), ("☕", 2), ("⌚", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
            ("👨‍👩‍👧‍👦", 2), ("🧑🏽‍💻", 2), ("☝🏽", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 1), ("🏴\u{E0067}\u{E007F}", 2),
            ("a\u{200B}b", 2), ("ก็", 1), ("क्ष", 2), ("½", 1), ("█▏", 2), ("⠒", 1), ("\u{AD}", 1), ("\u{3000}", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(text.columns == columns, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }

    @Test(
        "what does not fit ends in an ellipsis, and no character is cut in half",
        arguments: [
            ("coffee", 6, "coffee"), ("coffee", 5, "coff…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 1, "…"),
            ("coffee", 0, ""), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 5, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ])
    func truncation(text: String, limit: Int, expected: String) {
        let found = text.truncated(toColumns: limit)
        #expect(found == expected)
        #expect(found.columns <= limit)
    }

    @Test("without Unicode the ellipsis is three dots, or as many as have room")
    func plainEllipsis() {
        #expect("coffee".truncated(toColumns: 5, ellipsis: "...") == "co...")
        #expect("coffee".truncated(toColumns: 2, ellipsis: "...") == "..")
    }

    @Test("columns of a table stand under each other whatever they are written in")
    func table() {
        var table = TextTable("NAME", "COUNT")
        table.add("日本", "1")
        table.add("☕ tea", "2")
        table.add("run", "3")
        #expect(table.lines == ["NAME    COUNT", "日本    1", "☕ tea  2", "run     3"])
    }

    private func screen(_ limit: Int?) -> Screen {
        Screen(limit: limit, style: Style(isTerminal: false, environment: [:]), glyphs: .unicode)
    }

    @Test("a table that has to fit cuts its widest columns, and the first one last")
    func narrowTable() {
        var table = TextTable("ID", "NAME", "COUNT")
        table.add("12345678", "日本日本日本日本", "1")
        table.add("abcdefgh", "run", "3")
        #expect(table.fitted(to: screen(nil)) == table.lines)
        #expect(table.fitted(to: screen(33)) == table.lines)
        #expect(
            table.fitted(to: screen(24)) == [
                "ID        NAME     COUNT", "12345678  日本日…  1", "abcdefgh  run      3",
            ])
        #expect(table.fitted(to: screen(20)).allSatisfy { $0.columns <= 20 })
        #expect(table.fitted(to: screen(20)).last?.hasPrefix("abcdefgh  run") == true)
    }

    @Test("columns without text and spare ones are left out where they do not fit, before a name is cut")
    func spareColumns() {
        var table = TextTable("ID", "NAME", "ALIAS", "COLOR", "COUNT", spare: ["COLOR"])
        table.add("12345678", "morning run", "", "#22C55E", "1")
        #expect(table.fitted(to: screen(44)) == table.lines)
        #expect(
            table.fitted(to: screen(43)) == [
                "ID        NAME         COLOR    COUNT", "12345678  morning run  #22C55E  1",
            ])
        #expect(
            table.fitted(to: screen(36)) == ["ID        NAME         COUNT", "12345678  morning run  1"])
        #expect(table.fitted(to: screen(26)) == ["ID        NAME       COUNT", "12345678  morning …  1"])
    }

    @Test("an elastic column is cut before a spare one goes, and alone")
    func elasticColumn() {
        var table = TextTable("ID", "NAME", "LABEL", "OPTIONS", spare: ["LABEL"], elastic: "OPTIONS")
        table.add("12345678", "morning run", "runs", "small, medium, large")
        #expect(
            table.fitted(to: screen(40)) == [
                "ID        NAME         LABEL  OPTIONS", "12345678  morning run  runs   small, me…",
            ])
        #expect(
            table.fitted(to: screen(36)) == [
                "ID        NAME         OPTIONS", "12345678  morning run  small, mediu…",
            ])
    }

    @Test("what would steer the terminal or turn the text is taken out of a cell, and an emoji stays whole")
    func cells() {
        #expect(TextTable.singleLine("a\n\u{1B}[31mb\u{202E}c\u{2028}d") == "a  [31mbc d")
        #expect(TextTable.singleLine("👨‍👩‍👧‍👦 ok") == "👨‍👩‍👧‍👦 ok")
    }
}
