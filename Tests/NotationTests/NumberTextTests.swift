import Testing

@testable import TrendyNotation

@Suite("Numbers as people read them")
struct NumberTextTests {
    @Test(
        "are plain where that stays readable, and read back as the same number",
        arguments: [
            (0.0, "0"), (12, "12"), (-7.5, "-7.5"), (1e15, "1000000000000000"), (0.000012, "0.000012"),
            (0.1 + 0.2, "0.30000000000000004"), (123_456_789.125, "123456789.125"), (-1e-6, "-0.000001"),
            (1e20, "1e20"), (-1.5e300, "-1.5e300"), (1e-7, "1e-7"), (1.25e-9, "1.25e-9"),
            (9_007_199_254_740_992, "9007199254740992"), (.greatestFiniteMagnitude, "1.7976931348623157e308"),
            (.leastNonzeroMagnitude, "5e-324"), (1000.5, "1000.5"), (12_345_678_901_234_568, "1.2345678901234568e16"),
        ])
    func plain(number: Double, text: String) {
        #expect(NumberText.text(number) == text)
        #expect(NumberText.parse(text) == number)
    }

    @Test(
        "are rounded to the digits that are asked for",
        arguments: [
            (1.2345678e17, 6, "1.23457e17"), (9.9999999e20, 3, "1e21"), (1.0000000000000002e300, 6, "1e300"),
            (-2.5e-9, 1, "-3e-9"), (0, 3, "0"), (1e20, 6, "1e20"),
        ])
    func rounded(number: Double, digits: Int, text: String) {
        #expect(NumberText.text(number, digits: digits) == text)
    }

    @Test("any number reads back exactly")
    func roundTrip() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let number = Double(bitPattern: random.next())
            if number.isFinite { #expect(NumberText.parse(NumberText.text(number)) == number) }
        }
    }
}
