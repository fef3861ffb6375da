import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Which values a setting takes.
enum SettingKind: Sendable, Hashable {
    /// Any text that is not empty.
    case text
    /// The address of a server.
    case address
    /// Yes or no.
    case flag
    /// A number of seconds within these bounds.
    case seconds(ClosedRange<Double>)

    /// The value that a text means, as it is written into the configuration file.
    ///
    /// - Throws: ``CommandFailure`` that says what the kind takes, without naming the setting.
    func value(_ text: String) throws(CommandFailure) -> JSONValue {
        switch self {
        case .text:
            guard !Names.trimmed(text).isEmpty else { throw .usage("it takes a text that is not empty") }
            return .string(text)
        case .address:
            do { return .string(try ServerAddress(parse: text).description) } catch {
                throw .usage("it takes \(requirement): \(CommandFailure(error).message)")
            }
        case .flag:
            guard let flag = PropertyText.boolean(text) else { throw .usage("it takes \(requirement)") }
            return .boolean(flag)
        case .seconds(let range):
            guard let seconds = NumberText.parse(text), range.contains(seconds) else {
                let advice = DecimalComma.advice(text).map { "; \($0)" } ?? ""
                throw .usage("it takes \(requirement)\(advice)")
            }
            return seconds == seconds.rounded() ? .integer(Int64(seconds)) : .number(seconds)
        }
    }

    /// What the kind takes, as it goes on after "it takes".
    var requirement: String {
        switch self {
        case .text: "a text"
        case .address: "the address of a server, like https://trendy.example.org"
        case .flag: "true or false"
        case .seconds(let range):
            "a number of seconds from \(NumberText.text(range.lowerBound)) to \(NumberText.text(range.upperBound))"
        }
    }

    /// The words that complete a value.
    var choices: [String] { self == .flag ? ["true", "false"] : [] }
}
