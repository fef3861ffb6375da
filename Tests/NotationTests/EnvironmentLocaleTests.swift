import Testing

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
}
