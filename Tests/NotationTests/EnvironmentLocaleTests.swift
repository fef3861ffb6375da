import Testing
import TrendyDomain

@testable import TrendyNotation

@Suite("The locale of the environment")
struct EnvironmentLocaleTests {
    @Test(
        "is that of the first variable that says something",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "en_US.UTF-8", "LC_NUMERIC": "fr_FR"], true),
            (["LC_ALL": "en_GB.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"], false),
            (["LC_ALL": "", "LANG": "de_AT@euro"], true),
            (["LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"], false), (["LANG": "POSIX"], false), ([:], false),
            (["LANG": "de_CH.UTF-8"], false), (["LANG": "ar_EG"], false), (["LANG": "nonsense"], false),
            (["LC_TIME": "de_DE"], false),
        ])
    func decimalComma(environment: [String: String], hasComma: Bool) {
        #expect(EnvironmentLocale(.numeric, environment).hasDecimalComma == hasComma)
    }

    @Test(
        "says with which day weeks begin",
        arguments: [
            (["LANG": "de_DE.UTF-8"], Weekday.monday), (["LANG": "en_US.UTF-8"], .sunday),
            (["LC_TIME": "ar_EG.UTF-8", "LANG": "en_US"], .saturday), (["LC_ALL": "C", "LANG": "en_US"], nil),
            (["LC_NUMERIC": "en_US"], nil), ([:], nil),
        ])
    func firstWeekday(environment: [String: String], weekday: Weekday?) {
        let locale = EnvironmentLocale(.time, environment)
        #expect(locale.firstWeekday == weekday && WeekStart.ofLocale(locale).weekday == weekday ?? .monday)
    }
}
