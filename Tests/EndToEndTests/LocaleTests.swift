import Foundation
import Testing

@Suite("Locales", .fewAtOnce, .timeLimit(.minutes(10)))
struct LocaleTests {
    private static let locales = ["de_DE.UTF-8", "ar_EG.UTF-8", "fa_IR.UTF-8", "tr_TR.UTF-8", "hi_IN"]

    private static let reading = [
        ["list", "--json"], ["list", "--csv"], ["export", "csv"], ["export", "json"], ["stats", "--json"],
        ["stats", "--by", "month", "--json"], ["trend", "I-run", "--prop", "KM", "--json"],
        ["calendar", "--year", "2026", "--json"], ["streaks", "--json"], ["type", "list", "--json"],
        ["prop", "list", "--json"], ["place", "list", "--json"], ["config", "list", "--json"],
        ["list", "--columns", "id,date,clock,weekday,type,duration,prop.KM"],
        ["list", "--format", "{{time}} {{duration}} {{prop.KM}}"], ["queue", "list", "--json"],
    ]

    private func variables(_ locale: String) -> [String: String] {
        // By default the locale decides on the first day of weeks, which trends and statistics show.
        [
            "LC_ALL": locale, "LANG": locale, "LC_NUMERIC": locale, "LC_TIME": locale, "LANGUAGE": locale,
            "TRENDY_WEEK_START": "monday",
        ]
    }

    @Test("what is written for programs is the same in every locale")
    func reading() async throws {
        var device = try Device()
        device.environment = variables("C")
        // A dotless i, where lower case is made by the rules of Turkish.
        try await device.done("type", "add", "I-run", "--color", "#1E90FF")
        try await device.done("prop", "add", "I-run", "KM", "--kind", "number")
        try await device.done("prop", "add", "I-run", "time", "--kind", "duration")
        try await device.done("place", "add", "x", "--lat", "1.25", "--lon", "-1234.5e-2", "--radius", "1000")
        for day in 10...19 {
            try await device.done(
                "log", "i-RUN", "--at", "2026-01-\(day) 14:30:05", "--until", "2026-01-\(day) 16:00",
                "KM=1\(day)34.56789",
                "time=1h2.5s", "--lat", "48.137154", "--lon", "11.576124", "--note", "a, \"b\"")
        }
        for command in Self.reading {
            let expected = try await device.done(command).output
            for locale in Self.locales {
                device.environment = variables(locale)
                let output = try await device.done(command).output
                #expect(output == expected, "\(locale): \(command)")
            }
            device.environment = variables("C")
        }
    }

    @Test("what is written by a person is read the same in every locale", arguments: locales)
    func writing(locale: String) async throws {
        var device = try Device()
        device.environment = variables(locale)
        try await device.done("type", "add", "IDLE")
        try await device.done("prop", "add", "IDLE", "KM", "--kind", "number")
        let time = "2026-01-05 14:30"
        let event = try await device.done("log", "idle", "--at", time, "km=1234.5km", "--json").output
        #expect(event.contains("\"value\":1234.5") && event.contains("2026-01-05T14:30:00.000Z"), "\(event)")
        let csv = try await device.done("export", "csv").output
        #expect(csv.contains("1234.5") && csv.utf8.allSatisfy { $0 < 0x80 }, "\(csv)")
        let human = try await device.done("show", String(try #require(id(event))))
        #expect(human.output.contains("2026-01-05 14:30") && human.output.contains("1234.5"))
    }

    private func id(_ json: String) throws -> String? {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return object?["id"] as? String
    }
}
