import ArgumentParser

/// Whether the day or the month comes first in a date of numbers.
enum DateOrder: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// `24.12.2025`, `24/12/2025`.
    case dayFirst = "dmy"
    /// `12/24/2025`.
    case monthFirst = "mdy"

    /// The order in words.
    var text: String { self == .dayFirst ? "day first" : "month first" }
}
