import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("timestamps")
struct TimestampTests {
    @Test(
        "every form of RFC 3339 is read to the millisecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.1Z", 100), ("1970-01-01T00:00:00.12Z", 120),
            ("1970-01-01T00:00:00.123456789Z", 123), ("1970-01-01T00:00:00.0009999Z", 0), ("1970-01-01t00:00:00z", 0),
            ("1970-01-01 00:00:01Z", 1_000), ("1970-01-01T02:00:00+02:00", 0), ("1969-12-31T22:30:00-01:30", 0),
            ("1969-12-31T23:59:59.999Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_799_000),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("1970-01-01T00:00:00+00:00", 0), ("1970-01-01T00:00:00-00:00", 0),
        ])
    func reading(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(
        "anything else is nil",
        arguments: [
            "", "now", "2026-11-20", "2026-11-20T14:30Z", "2026-11-20T14:30:00", "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
            "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+2:00",
            "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00ZZ", " 2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z ", "20260-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "2026-01-01X00:00:00Z",
            "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "２026-01-01T00:00:00Z", "2026-01-01T00:00:00.",
        ])
    func refusing(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("any moment comes back from its text, and sorts as its text does")
    func roundTrip() {
        let random = SeededRandomSource(seed: 7)
        let span = Timestamp.latest.milliseconds - Timestamp.earliest.milliseconds
        var last = (Timestamp.earliest, Timestamp.earliest.description)
        for _ in 0..<20_000 {
            let offset = Int64(random.next() % UInt64(span + 1))
            let moment = Timestamp(milliseconds: Timestamp.earliest.milliseconds + offset)
            let text = moment.description
            #expect(Timestamp(text) == moment)
            #expect((moment < last.0) == (text < last.1))
            last = (moment, text)
        }
    }

    @Test("text agrees with Foundation's calendar")
    func foundation() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let random = SeededRandomSource(seed: 8)
        for _ in 0..<500 {
            let seconds = Int64(random.next() % 8_000_000_000) - 2_000_000_000
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(Timestamp(date).description == date.formatted(style))
        }
    }

    @Test("moments outside years 0 to 9999 stop at the ends")
    func clamping() {
        #expect(Timestamp(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).description == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(Date.distantFuture) <= .latest)
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)) == .latest)
        #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)) == .earliest)
        #expect(Timestamp.latest.advanced(byMilliseconds: 1) == .latest)
        #expect(Timestamp.earliest.advanced(byMilliseconds: .min) == .earliest)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: .infinity) == .latest)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: 1.2345).milliseconds == 1_235)
    }
}
