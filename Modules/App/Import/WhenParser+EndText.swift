import TrendyDomain
import TrendyNotation

extension WhenParser {
    /// The text of an end in a file with what its start says: a time of day alone counts from the start's day, and a
    /// length like `+45m` from the start, as for `log --until`.
    ///
    /// - Throws: ``RowProblem`` where it counts from now, which is another moment in each import.
    func endText(_ text: String, from start: Timestamp) throws(RowProblem) -> String {
        let plain = Names.trimmed(text).lowercased()
        if plain.hasPrefix("+"), let end = WhenParser(now: start, zone: zone).moment(plain) { return end.description }
        let isRelative = plain == "now" || plain.hasSuffix(" ago") || plain.hasPrefix("-")
        if isRelative, moment(plain) != nil {
            throw RowProblem(
                "the end '\(Names.trimmed(text))' counts from now; write its time of day or date, "
                    + "or how long it lasted: +45m")
        }
        return dated(text, from: start)
    }
}
