import Foundation
package import TrendyDomain

/// The locale that the environment names for one kind of text, in the order of POSIX: `LC_ALL`, the kind's own variable,
/// `LANG`.
///
/// What a locale says is looked up when somebody asks for it, which takes longer than logging an event does.
package struct EnvironmentLocale: Sendable, Hashable {
    /// The kinds of text that have a variable of their own.
    package enum Category: String, Sendable {
        case numeric = "LC_NUMERIC"
        case time = "LC_TIME"
    }

    /// The language and the region, like `de_AT`; nil for none, and for `C` and `POSIX`, which are no person's.
    private let identifier: String?

    package init(_ category: Category, _ environment: [String: String]) {
        let names = ["LC_ALL", category.rawValue, "LANG"]
        let value = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        // "de_AT.UTF-8@euro": the encoding and the variant say nothing of numbers and weeks.
        let name = value.prefix { $0 != "." && $0 != "@" }
        identifier = name.isEmpty || name == "C" || name == "POSIX" ? nil : String(name)
    }

    /// Whether numbers have a comma before their fraction there.
    package var hasDecimalComma: Bool { identifier.map { Locale(identifier: $0).decimalSeparator == "," } ?? false }

    /// The day with which weeks begin there; nil where no locale is named.
    package var firstWeekday: Weekday? {
        guard let identifier else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: identifier)
        // 1 is Sunday.
        return Weekday(rawValue: (calendar.firstWeekday + 5) % 7 + 1)
    }
}
