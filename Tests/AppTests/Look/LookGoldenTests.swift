import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTestSupport

@testable import TrendyApp
@testable import TrendyTerminal

/// The files are `Tests/Golden/look-*.md`; `UPDATE_DOCUMENTS=1` in the environment writes them anew.
@MainActor
@Suite("What commands draw on each screen, as files")
struct LookGoldenTests {
    /// What commands draw on.
    enum Screen: String, CaseIterable {
        case narrow = "80"
        case wide = "200"
        case ascii, colors, pipe

        var size: TerminalSize? {
            switch self {
            case .narrow, .ascii, .colors: TerminalSize(columns: 80, rows: 1000)
            case .wide: TerminalSize(columns: 200, rows: 1000)
            case .pipe: nil
            }
        }

        var environment: [String: String] { self == .colors ? ["COLORTERM": "truecolor"] : ["NO_COLOR": "1"] }
    }

    private nonisolated static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Golden").standardizedFileURL

    private static let long = "Stretching and mobility exercises after a long day at the desk"
    private static let arabic = "قهوة مع الحليب"

    private static let drawing = [
        "today", "today run", "week", "week --of last", "week --of 2026-W50", "list --limit 12",
        "stats", "stats --by hour", "stats run", "stats coffee --by month", "stats coffee --by weekday",
        "stats coffee --by size", "stats run --prop km", "stats run --prop rest --agg mean --by month",
        "stats --prop time", "calendar", "calendar run --year 2025", "calendar travel", "trend coffee",
        "trend run --prop km --agg mean --by month", "trend travel --by month", "streaks", "streaks travel", "insights",
    ]

    private static let empty = [
        "list tea", "stats tea", "calendar tea", "trend tea", "streaks tea", "today tea", "week tea --of 2026-W02",
        "stats run --since 2020-01-01 --until 2020-02-01", "trend", "trend run --prop shoe", "stats --by fortnight",
        "stats --prop km", "calendar --year 26", "insights --until soon", "today nosuch", "week --of someday",
    ]

    /// A year with a number for each day instead of chance: types with short and long names and icons, properties, and
    /// events of several days.
    private func makeShell() async throws -> TestShell {
        let shell = try TestShell(random: SeededRandomSource(seed: 7))
        let types = [
            ("coffee", "#6F4E37", "☕"), ("run", "#22C55E", "🏃"), (Self.long, "#F59E0B", "🧘"),
            (Self.arabic, "#EC4899", ""),
            ("travel", "#0EA5E9", "✈️"), ("tea", "#84CC16", "🍵"),
        ]
        for (name, color, icon) in types {
            _ = try await shell.json(
                "type", "add", name, "--color", color, "--icon", icon.isEmpty ? "circle.fill" : icon)
        }
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        _ = try await shell.json("prop", "add", "run", "rest", "--kind", "duration")
        _ = try await shell.json("prop", "add", "coffee", "size", "--kind", "select", "--options", "small,large")
        var rows = ["type,time,until,whole,note,km,rest,size"]
        let today = TestShell.noon
        let zone = LocalZone.utc
        for ago in (0..<200).reversed() {
            let day = zone.day(of: today).advanced(by: -ago)
            let number = day.daysSince1970 * 7919 % 101
            let isWeekend = [.saturday, .sunday].contains(day.weekday)
            for cup in 0..<(isWeekend ? number % 2 : 1 + number % 3) {
                rows.append(
                    "coffee,\(day) \(twoDigits(7 + cup * 2)):\(twoDigits(number % 60)),,,,,,\(cup == 0 ? "large" : "small")"
                )
            }
            if [.tuesday, .sunday].contains(day.weekday), ago < 150, number % 5 > 0 {
                let km = Double(50 + number % 40 - ago / 10) / 10
                rows.append("run,\(day) 06:30,\(day) 07:\(twoDigits(number % 60)),,,\(km),\(number % 9 * 30 + 30)s,")
            }
            if number % 6 == 0 {
                rows.append(
                    "\(Self.long),\(day) 11:15,,,\(number % 4 == 0 ? "with Ann and Bo in the new hall by the river" : ""),,,"
                )
            }
            if number % 11 == 0 { rows.append("\(Self.arabic),\(day) 10:40,,,,,,") }
            if [9, 61, 130].contains(ago) {
                rows.append("travel,\(day),\(day.advanced(by: 3 + number % 4)),yes,Lisbon,,,")
            }
        }
        rows.append("travel,2026-03-08 21:00,2026-03-10 09:00,,night train,,,")
        let file = try shell.home.write(rows.joined(separator: "\n"), to: "events.csv")
        _ = try await shell.output(
            "import", "csv", file, "--type", "type", "--time", "time", "--until", "until", "--all-day", "whole",
            "--note",
            "note", "--prop", "km=km", "--prop", "rest=rest", "--prop", "size=size", "--yes")
        return shell
    }

    @Test("nothing is wider than the screen, ends in blanks or has changed", arguments: Screen.allCases)
    func screens(screen: Screen) async throws {
        let shell = try await makeShell()
        shell.terminal = screen.size
        shell.environment.merge(screen.environment) { _, new in new }
        let commands =
            (screen == .colors ? ["today", "week", "stats", "calendar run", "trend coffee", "streaks"] : Self.drawing)
            + (screen == .narrow ? Self.empty : [])
        let document = ConsoleDocument(
            (["```console"] + commands.map { "$ trendy \($0)" } + ["```", ""]).joined(separator: "\n"))
        let renewed = try await document.renewed { line in
            let words = try Array(ShellWords.split(line).dropFirst()) + (screen == .ascii ? ["--ascii"] : [])
            let answer = try await shell.run(words)
            let shown = answer.output.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
            for text in shown.split(separator: "\n") {
                #expect(text.columns <= (screen.size?.columns ?? .max), "\(line): \(text)")
                #expect(text.last != " ", "\(line): '\(text)'")
                let drawn = text.unicodeScalars.filter { !Self.arabic.unicodeScalars.contains($0) }
                #expect(screen != .ascii || drawn.allSatisfy(\.isASCII), "\(line): \(text)")
            }
            let text = (answer.output + answer.errors).replacing("\u{1B}", with: "␛")
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) + [""]
        }
        try ConsoleDocument.expect(renewed, in: Self.folder.appending(path: "look-\(screen.rawValue).md"))
    }
}
