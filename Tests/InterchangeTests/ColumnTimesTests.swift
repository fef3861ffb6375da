import Testing
import TrendyDomain
import TrendyNotation

@testable import TrendyInterchange

@Suite("Times in the columns of a file")
struct ColumnTimesTests {
    private func times(_ order: DateOrder? = nil, takesEveryNumber: Bool = false) throws -> ColumnTimes {
        let now = try #require(Timestamp("2026-03-10T12:00:00Z"))
        return ColumnTimes(
            times: WhenParser(now: now, zone: .utc), order: order, takesEveryNumber: takesEveryNumber)
    }

    @Test(
        "dates of numbers are read in the order that is given",
        arguments: [
            ("24.12.2025 18:30", "2025-12-24T18:30:00Z"), ("24.12.2025, 18:30:15", "2025-12-24T18:30:15Z"),
            ("24.12.25", "2025-12-24T00:00:00Z"), ("1/2/2025 6:30 PM", "2025-02-01T18:30:00Z"),
            ("01-02-2025", "2025-02-01T00:00:00Z"), ("2025/12/24 8:00", "2025-12-24T08:00:00Z"),
            ("2025.2.1", "2025-02-01T00:00:00Z"), ("24.12.85", "1985-12-24T00:00:00Z"),
            ("24.12.35", "2035-12-24T00:00:00Z"), ("20251224", "2025-12-24T00:00:00Z"),
            ("20251224T183000Z", "2025-12-24T18:30:00Z"), ("20251224 18:30", "2025-12-24T18:30:00Z"),
            ("202512241830", "2025-12-24T18:30:00Z"), ("20251224183015", "2025-12-24T18:30:15Z"),
        ])
    func dayFirst(text: String, expected: String) throws {
        #expect(try times(.dayFirst).moment(text) == Timestamp(expected))
    }

    @Test("the number of a day in a spreadsheet is no moment of 1970, and the problem names the day")
    func spreadsheetDays() throws {
        let times = try times(takesEveryNumber: true)
        for text in ["46346", "46346.75", "20000", "79999.9"] { #expect(times.moment(text) == nil, "\(text)") }
        #expect(times.problem("46346").message.contains("(2026-11-20)"))
        #expect(times.moment("19999") == Timestamp(milliseconds: 19_999_000))
        #expect(times.moment("1772352000") == Timestamp("2026-03-01T08:00:00Z"))
    }

    @Test("the month comes first where that is said, or where only that makes a day")
    func monthFirst() throws {
        #expect(try times(.monthFirst).moment("1/2/2025") == Timestamp("2025-01-02T00:00:00Z"))
        #expect(try times().moment("12/24/2025") == Timestamp("2025-12-24T00:00:00Z"))
        #expect(try times().moment("1/2/2025") == nil)
        #expect(try times().moment("2/2/2025") == Timestamp("2025-02-02T00:00:00Z"))
    }

    @Test(
        "what is not a day of the calendar is none",
        arguments: ["31.02.2025", "24.13.2025", "0.1.2025", "1.2", "1.2.3.4", "24-12-25", "1/2/20255", "n/a", "", "."])
    func noDay(text: String) throws {
        #expect(try times(.dayFirst).moment(text) == nil)
    }

    @Test("numbers are times since 1970 where they lie in the last decades, or where the person says so")
    func numbers() throws {
        for text in ["5", "0", "-1", "12.5", "86400", "99999999", "20259999", "4000000000"] {
            #expect(try times().moment(text) == nil, "\(text)")
            #expect(try times().isOtherNumber(text), "\(text)")
        }
        #expect(try times().moment("1735689600") == Timestamp("2025-01-01T00:00:00Z"))
        #expect(try times().moment("1735689600123") == Timestamp("2025-01-01T00:00:00.123Z"))
        #expect(try times(takesEveryNumber: true).moment("86400") == Timestamp("1970-01-02T00:00:00Z"))
        #expect(try times(takesEveryNumber: true).moment("19850312") == Timestamp("1985-03-12T00:00:00Z"))
        #expect(try times(takesEveryNumber: true).moment("51234567") == Timestamp(milliseconds: 51_234_567_000))
        #expect(try times(takesEveryNumber: true).moment("946684800000") == Timestamp("2000-01-01T00:00:00Z"))
    }

    @Test("what is wrong with a field says so")
    func problems() throws {
        #expect(try times().problem(" ").message == "the time is empty")
        #expect(try times(.dayFirst).problem("31.02.2025").message.contains("not a day of the calendar"))
        #expect(try times(.monthFirst).problem("24/12/2025").message.contains("read month first"))
        #expect(try times().problem("1/2/2025").message.contains("--dates dmy"))
        #expect(try times().problem("n/a").message == "'n/a' is not a time")
        #expect(try times().problem("2026-02-30").message.contains("February 2026 has 28 days"))
    }
}
