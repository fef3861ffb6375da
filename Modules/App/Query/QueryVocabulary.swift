import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// What the words of a query can mean: the names that this device has, and the present time.
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

    /// The names that are read whole where they are written.
    var names: [String] { types.map(\.name) + aliases.all + definitions.map(\.key) }

    var typeIds: Set<String> { Set(types.map(\.id)) }

    /// The definitions of a key, whatever its case, of some types; nil stands for all.
    func definitions(of key: String, in scope: Set<String>?) -> [PropertyDefinition] {
        let folded = key.lowercased()
        let known = typeIds
        return definitions.filter {
            $0.key.lowercased() == folded && (scope?.contains($0.eventTypeId) ?? known.contains($0.eventTypeId))
        }
    }

    /// The keys of the properties of some types, each once.
    func keys(in scope: Set<String>?) -> [String] {
        var seen: Set<String> = []
        return definitions.filter { scope?.contains($0.eventTypeId) ?? true }.map(\.key)
            .filter { seen.insert($0.lowercased()).inserted }
    }
}

/// What a query can ask of every event, besides its type and its properties.
enum QueryField: String, CaseIterable {
    case note, place, since, until, on, `is`, tag, title, location, text, time, type, id

    init?(_ name: String) {
        let folded = name.lowercased()
        self.init(rawValue: folded == "notes" ? Self.note.rawValue : folded)
    }

    /// Where an own property of that name comes first: the time from start to end is only what it is called for want of
    /// one.
    var yieldsToProperty: Bool { self == .time }

    /// As it is written most often.
    var spelling: String {
        switch self {
        case .note, .title, .location, .text: "\(rawValue)~"
        case .time: "\(rawValue)>"
        default: "\(rawValue):"
        }
    }

    /// What it asks, for completion.
    var about: String {
        switch self {
        case .note: "a text in the note"
        case .place: "where it happened"
        case .since: "at or after this time"
        case .until: "before this time, or to the end of this day"
        case .on: "on this day, or in this week"
        case .is: "its state"
        case .tag: "a word marked with # in the note"
        case .title: "a text in the title it was imported with"
        case .location: "a text in the name of the location"
        case .text: "a text in note, title or location"
        case .time: "the time from start to end"
        case .type: "its type"
        case .id: "its id"
        }
    }
}

/// What `is:` can ask.
enum QueryState: String, CaseIterable {
    case allday, pending, parked, running
}
