import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The names of this device and the present time, to resolve a query.
struct QueryVocabulary {
    let lookup: RecordLookup
    let types: [EventType]
    let aliases: TypeAliases
    let definitions: [PropertyDefinition]
    let properties: PropertyText

    var times: WhenParser { properties.times }
    var zone: LocalZone { times.zone }

    init(_ reader: StoreReader, _ properties: PropertyText) throws {
        lookup = RecordLookup(reader: reader)
        types = try reader.fetch(EventType.self).map(\.entity)
        aliases = try TypeAliases.load(reader)
        definitions = try reader.fetch(PropertyDefinition.self).map(\.entity)
            .sorted { ($0.displayOrder, $0.key) < ($1.displayOrder, $1.key) }
        self.properties = properties
    }

    /// The names that are read as one word each.
    var names: [String] { types.map(\.name) + aliases.all + definitions.map(\.key) }

    var typeIds: Set<String> { Set(types.map(\.id)) }

    /// The definitions of a key in some types; nil for all types.
    func definitions(of key: String, in scope: Set<String>?) -> [PropertyDefinition] {
        let wanted = NameKey(key)
        let known = typeIds
        return definitions.filter {
            NameKey($0.key) == wanted && (scope?.contains($0.eventTypeId) ?? known.contains($0.eventTypeId))
        }
    }

    /// The distinct keys of the properties of some types.
    func keys(in scope: Set<String>?) -> [String] {
        var seen: Set<NameKey> = []
        return definitions.filter { scope?.contains($0.eventTypeId) ?? true }.map(\.key)
            .filter { seen.insert(NameKey($0)).inserted }
    }
}

/// The fields of events in queries, other than properties.
enum QueryField: String, CaseIterable {
    case note, place, since, until, on, `is`, tag, title, location, text, time, type, id

    init?(_ name: String) {
        let folded = name.lowercased()
        self.init(rawValue: folded == "notes" ? Self.note.rawValue : folded)
    }

    /// Whether a property with the same name has priority, as for `time`.
    var yieldsToProperty: Bool { self == .time }

    /// The usual spelling, with its operator.
    var spelling: String {
        switch self {
        case .note, .title, .location, .text: "\(rawValue)~"
        case .time: "\(rawValue)>"
        default: "\(rawValue):"
        }
    }

    /// The description for completion.
    var about: String {
        switch self {
        case .note: "a text in the note"
        case .place: "the place"
        case .since: "at or after this time"
        case .until: "before this time, or to the end of this day"
        case .on: "on this day, or in this week"
        case .is: "the state"
        case .tag: "a word marked with # in the note"
        case .title: "a text in the title of an imported event"
        case .location: "a text in the name of the location"
        case .text: "a text in note, title or location"
        case .time: "the time from start to end"
        case .type: "its type"
        case .id: "its id"
        }
    }
}

/// The values of `is:`.
enum QueryState: String, CaseIterable {
    case allday, pending, parked, running
}
