import TrendyNotation
import TrendyTerminal

/// A value of an event that a column or a `{{placeholder}}` shows.
enum EventColumn: Hashable {
    case fact(Fact)
    /// The value of the property with that key, in any spelling.
    case property(String)

    /// The columns that are not properties, by their names.
    enum Fact: String, CaseIterable {
        case id, type, time, timestamp, date, clock, weekday, ago, end, duration, note, location, lat, lon, place
        case title, source, sync, props
        case shortId = "short_id"
        case typeId = "type_id"
        case endDate = "end_date"
        case allDay = "all_day"
        case externalId = "external_id"
    }

    private static let propertyPrefix = "prop."

    /// Reads the name of a column.
    ///
    /// - Parameter keys: The keys of all properties that are defined.
    /// - Throws: ``CommandFailure`` that names the nearest one.
    init(_ text: some StringProtocol, keys: Set<String>) throws(CommandFailure) {
        let name = String(text)
        if let fact = Fact(rawValue: name.lowercased()) {
            self = .fact(fact)
        } else if name.hasPrefix(Self.propertyPrefix) {
            self = .property(try Self.key(String(name.dropFirst(Self.propertyPrefix.count)), among: keys))
        } else {
            throw Self.unknown(name, keys: keys)
        }
    }

    private static func key(_ key: String, among keys: Set<String>) throws(CommandFailure) -> String {
        if keys.contains(key) { return key }
        // Types can spell one key differently; the column has the values of all of them.
        if let same = keys.filter({ Names.areSame($0, key) }).min() { return same }
        let names = keys.sorted().map { propertyPrefix + $0 }
        let near = Suggestion.nearest(to: propertyPrefix + key, among: names).map { "did you mean '\($0)'?" }
        let hint = near ?? (names.isEmpty ? "none is defined" : "there is \(names.joined(separator: ", "))")
        throw .usage("no type has a property '\(key)'; \(hint)")
    }

    private static func unknown(_ name: String, keys: Set<String>) -> CommandFailure {
        let names = Fact.allCases.map(\.rawValue).sorted()
        let properties = keys.sorted().map { propertyPrefix + $0 }
        // The most likely mistake is the key of a property without 'prop.'.
        if properties.contains(propertyPrefix + name) {
            return .usage("there is no column '\(name)'; did you mean '\(propertyPrefix)\(name)'?")
        }
        let near = Suggestion.nearest(to: name, among: names + properties)
        let hint = near.map { "did you mean '\($0)'?" } ?? "there is \(names.joined(separator: ", ")) and prop.KEY"
        return .usage("there is no column '\(name)'; \(hint)")
    }

    /// The heading of the column.
    var title: String {
        switch self {
        case .fact(let fact): fact.rawValue.uppercased()
        case .property(let key): key.uppercased()
        }
    }
}
