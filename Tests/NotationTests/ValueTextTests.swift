import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyNotation

@Suite("Values as people write them")
struct ValueTextTests {
    private let texts = PropertyText(
        times: WhenParser(now: Timestamp(milliseconds: 1_773_144_000_000), zone: .utc))

    private func definition(_ type: PropertyType) -> PropertyDefinition {
        makePropertyDefinition(key: "p", propertyType: type, options: type == .select ? ["Small", "Large"] : nil)
    }

    @Test(
        "a value is read as its definition says",
        arguments: [
            (PropertyType.text, "12", PropertyValue.text("12")), (.text, "", .text("")),
            (.number, "12.5", .number(12.5)), (.number, "-3e2", .number(-300)),
            (.boolean, "Yes", .boolean(true)), (.boolean, "0", .boolean(false)),
            (.select, "large", .select("Large")), (.select, "Small", .select("Small")),
            (.duration, "1h30", .duration(5400)), (.duration, "2 h 05", .duration(7500)),
            (.duration, "1h30m", .duration(5400)), (.duration, "90", .duration(90)),
            (.duration, "1,5h", .duration(5400)), (.duration, "0,25 h", .duration(900)),
            (.duration, "2 days", .duration(172_800)), (.duration, "1:30:05.5", .duration(5405.5)),
            (.url, "https://example.org/?a=b", .url("https://example.org/?a=b")), (.email, "a@b.c", .email("a@b.c")),
            (.date, "2026-03-10T12:00:00Z", .date(Timestamp(milliseconds: 1_773_144_000_000))),
            (.date, "2026-03-10", .date(Timestamp(milliseconds: 1_773_144_000_000))),
            (.date, "2026-03-10 00:00", .date(Timestamp(milliseconds: 1_773_144_000_000))),
            (.date, "today", .date(Timestamp(milliseconds: 1_773_144_000_000))),
        ])
    func read(type: PropertyType, text: String, expected: PropertyValue) throws {
        #expect(try texts.parse(text, as: definition(type)) == expected)
    }

    @Test(
        "what does not fit is refused as bad data, with what would fit",
        arguments: [
            (PropertyType.number, "twelve"), (.number, "nan"), (.number, "inf"), (.number, "0x10"), (.number, ""),
            (.boolean, "maybe"), (.select, "medium"), (.duration, "-5m"), (.duration, "1h3"), (.duration, "fast"),
            (.duration, "1h60"), (.duration, "30m15"), (.duration, "h30"), (.duration, "1,500h"), (.duration, "1,5,5h"),
            (.duration, "1,5"), (.duration, ",5h"),
            (.duration, "1:30"), (.duration, "1:60:00"), (.duration, "-1:00:00"), (.number, "7,5"),
            (.url, "example"), (.url, "a b:c"), (.email, "nobody"), (.email, "a@b@c"), (.date, "someday"),
            (.date, "2026-03-10 14:30"),
            (PropertyType(rawValue: "colour"), "red"),
        ])
    func refused(type: PropertyType, text: String) {
        #expect { try texts.parse(text, as: definition(type)) } throws: { error in
            (error as? InputError)?.kind == .data && "\(error)".contains("'p'")
        }
    }

    @Test(
        "a date is the day that was entered, in whatever zone it is read and written",
        arguments: ["Pacific/Auckland", "Europe/Berlin", "UTC", "America/Los_Angeles", "Pacific/Kiritimati"])
    func dates(zone: String) throws {
        let here = PropertyText(
            times: WhenParser(
                now: Timestamp(milliseconds: 1_773_144_000_000),
                zone: LocalZone(try #require(TimeZone(identifier: zone)))))
        for text in ["2026-11-20", "1969-12-31", "1969-07-20"] {
            let value = try here.parse(text, as: definition(.date))
            #expect(here.text(value) == text && texts.text(value) == text)
            #expect(try texts.parse(text, as: definition(.date)) == value)
            // As it is written, and as programs write a date without a time.
            #expect(try here.parse(value.value.stringValue ?? "", as: definition(.date)) == value)
            #expect(here.text(.other(type: .date, value: .string("\(text)T00:00:00Z"))) == text)
        }
    }

    @Test("a moment that another client chose is shown in the zone of the reader, at midnight as its day")
    func moments() throws {
        let berlin = PropertyText(
            times: WhenParser(
                now: Timestamp(milliseconds: 0), zone: LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))))
        let midnight = try #require(Timestamp("2026-11-19T23:00:00Z"))
        #expect(berlin.text(.date(midnight)) == "2026-11-20" && texts.text(.date(midnight)) == "2026-11-19 23:00")
        #expect(berlin.text(.other(type: .date, value: "2026-11-19T23:30:00Z")) == "2026-11-20 00:30")
        #expect(berlin.text(.other(type: .date, value: "soon")) == "soon")
    }

    @Test(
        "lengths of time are shown in their largest units",
        arguments: [
            (0.0, "0s"), (59, "59s"), (90, "1m 30s"), (5400, "1h 30m"), (3600, "1h"), (0.5, "0.5s"), (86_400, "24h"),
        ])
    func durations(seconds: Double, expected: String) {
        #expect(DurationText.text(seconds) == expected)
        #expect(DurationText.parse(expected) == seconds)
    }

    @Test(
        "long spans are told in days, and longer ones as more than a year",
        arguments: [
            (90.0, "1m 30s"), (90_000, "25h"), (172_800, "2 days"), (300_000, "3 days"), (31_622_400, "366 days"),
            (1_795_719_600, "more than a year"),
        ])
    func spans(seconds: Double, expected: String) {
        #expect(DurationText.span(seconds) == expected)
    }
}

@Suite("Suggestions")
struct SuggestionTests {
    @Test(
        "the nearest name is suggested, and none that is far",
        arguments: [
            ("cofee", "coffee"), ("coffeee", "coffee"), ("ocffee", "coffee"), ("Runn", "run"), ("head", "headache"),
            ("xyz", nil), ("", nil), ("zzzzzz", nil),
        ])
    func nearest(text: String, expected: String?) {
        #expect(Suggestion.nearest(to: text, among: ["coffee", "run", "headache"]) == expected)
    }

    @Test(
        "the distance counts insertions, deletions, replacements and swaps",
        arguments: [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ab", "b", 1)])
    func distance(left: String, right: String, expected: Int) {
        #expect(Suggestion.editDistance(Array(left), Array(right)) == expected)
        #expect(Suggestion.editDistance(Array(right), Array(left)) == expected)
    }
}
