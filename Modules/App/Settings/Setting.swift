import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// One setting: what it means, which values it takes, and everywhere that it can be given.
///
/// ``all`` is the only list of settings. What reads them, `trendy config`, the help and the completions go by it.
struct Setting: Sendable, Hashable {
    /// The name in the configuration file and of `trendy config`.
    let key: String
    /// What it decides: one sentence without a full stop.
    let meaning: String
    let kind: SettingKind
    /// What holds where nothing is said; nil where that is no value.
    let standard: String?
    /// In place of ``standard`` where that is nil: what happens then.
    let withoutStandard: String
    /// The option that sets it, of the commands that have it.
    let flag: String?
    /// True for what is not shown.
    let isSecret: Bool

    /// The environment variable that sets it: `TRENDY_WEEK_START`.
    var variable: String { "TRENDY_" + key.uppercased().replacing("-", with: "_") }

    private init(
        _ key: String, _ kind: SettingKind, standard: String? = nil, without: String = "", flag: String? = nil,
        isSecret: Bool = false, meaning: String
    ) {
        self.key = key
        self.kind = kind
        self.standard = standard
        withoutStandard = without
        self.flag = flag
        self.isSecret = isSecret
        self.meaning = meaning
    }

    static let autosync = Setting(
        "autosync", .flag, standard: "true",
        meaning: "whether a sync starts by itself after a change")
    static let caFile = Setting(
        "ca-file", .certificates, without: "none beside the system's",
        meaning: "a PEM file of an authority of your own, to vouch for a server")
    static let decimal = Setting(
        "decimal", .choice(["auto", "point", "comma"]), standard: "auto",
        meaning: "what you write before fractions: 81.2 or 81,2 (auto: by the locale)")
    static let server = Setting(
        "server", .address, without: "that of the sign-in", flag: "--server", meaning: "the address of the server")
    static let timeout = Setting(
        "timeout", .seconds(0.1...3600), standard: "15",
        meaning: "how many seconds a server may be silent")
    static let token = Setting(
        "token", .text, without: "that of the sign-in", isSecret: true,
        meaning: "the access token, in place of that of the sign-in")

    static let weekStart = Setting(
        "week-start", .choice(["auto"] + Weekday.allCases.map { $0.description.lowercased() }), standard: "auto",
        meaning: "the day with which your weeks begin (auto: by the locale)")

    /// Every setting, by key.
    static let all = [autosync, caFile, decimal, server, timeout, token, weekStart]

    /// The keys, as help offers them.
    static var choice: String {
        let keys = all.map(\.key)
        return keys.dropLast().joined(separator: ", ") + " or " + (keys.last ?? "")
    }

    /// The setting of that key, whatever its case.
    ///
    /// - Throws: ``CommandFailure`` that names the nearest one.
    static func named(_ key: String) throws(CommandFailure) -> Setting {
        if let setting = all.first(where: { $0.key == key.lowercased() }) { return setting }
        throw .data("there is no setting '\(key)'; \(hint(key))")
    }

    /// What to say of a key that no setting has.
    static func hint(_ key: String) -> String {
        let keys = all.map(\.key)
        return Suggestion.nearest(to: key, among: keys).map { "did you mean '\($0)'?" }
            ?? "there are \(keys.joined(separator: ", "))"
    }

    /// What holds where nothing is said, for a person.
    var standardText: String { standard ?? "(\(withoutStandard))" }

    /// The value as it is shown, without what is secret.
    func shown(_ text: String) -> String { isSecret ? "********" : text }
}

/// Which values a setting takes.
enum SettingKind: Sendable, Hashable {
    /// Any text that is not empty.
    case text
    /// The address of a server.
    case address
    /// The path of a PEM file with certificates.
    case certificates
    /// Yes or no.
    case flag
    /// One of some words.
    case choice([String])
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
        case .certificates:
            do { _ = try CertificateAuthorities(own: (text, ""), environment: [:]) } catch {
                throw .usage("it takes \(requirement): \(error.reason)")
            }
            return .string(text)
        case .choice(let words):
            guard let word = words.first(where: { $0 == text.lowercased() }) else {
                throw .usage("it takes \(requirement)")
            }
            return .string(word)
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
        case .certificates: "the path of a PEM file with certificates"
        case .flag: "true or false"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .seconds(let range):
            "a number of seconds from \(NumberText.text(range.lowerBound)) to \(NumberText.text(range.upperBound))"
        }
    }

    /// The words that complete a value.
    var choices: [String] {
        switch self {
        case .flag: ["true", "false"]
        case .choice(let words): words
        case .text, .address, .certificates, .seconds: []
        }
    }
}
