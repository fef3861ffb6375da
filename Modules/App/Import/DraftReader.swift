import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

/// Makes events of what foreign formats say.
@MainActor
struct DraftReader {
    private let types: ImportTypes
    private let ids: ImportIds
    private let values: PropertyText
    private let reader: StoreReader
    private var repetitions = Repetitions()

    init(types: ImportTypes, ids: ImportIds, context: CommandContext) throws {
        self.types = types
        self.ids = ids
        values = context.properties
        reader = try context.reader
    }

    /// The event that a row describes.
    ///
    /// - Throws: ``RowProblem`` where it describes none.
    mutating func event(_ draft: EventDraft) throws -> NamedEvent {
        let type = try types.type(named: draft.type)
        var event = Event(id: "", eventTypeId: type.id, timestamp: draft.timestamp, sourceType: .imported)
        event.endDate = draft.endDate
        event.isAllDay = draft.isAllDay
        event.notes = Self.filled(draft.notes)
        event.originalTitle = Self.filled(draft.originalTitle)
        event.locationName = Self.filled(draft.locationName)
        event.locationLatitude = draft.latitude
        event.locationLongitude = draft.longitude
        for (key, value) in draft.properties {
            event.properties[key] = try property(key, value, of: type, draft.hasDecimalCommas)
        }
        let name = name(of: draft.identity)
        let otherName = draft.otherIdentity.map { self.name(of: $0) }
        event.externalId = name
        event.id = ids.id(name, of: draft)
        let otherIds = ids.otherIds(name, of: draft)
        guard let exported = draft.exported else {
            do { try reader.validate(event) } catch { throw RowProblem("\(error)") }
            return NamedEvent(event: event, otherName: otherName, otherIds: otherIds)
        }
        event.sourceType = exported.sourceType
        event.geofenceId = exported.geofenceId
        event.healthKitSampleId = exported.healthKitSampleId
        event.healthKitCategory = exported.healthKitCategory
        if let externalId = exported.externalId { event.externalId = externalId }
        try RecordCatalogue.validate(event, in: reader)
        let shownName = exported.externalId == nil ? otherName : name
        return NamedEvent(event: event, otherName: shownName, otherIds: otherIds, form: .row(exported.fields))
    }

    private static func filled(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    private func property(
        _ key: String, _ value: EventDraft.Value, of type: EventType, _ hasDecimalCommas: Bool
    ) throws -> PropertyValue {
        switch value {
        case .text(let text, let kind):
            guard let kind, try types.makesDefinition(key, of: type) else {
                return try parse(text, as: types.definition(key, of: type), hasDecimalCommas)
            }
            // A value that the property cannot have makes none.
            let value = try parse(
                text,
                as: PropertyDefinition(id: "", eventTypeId: type.id, key: key, label: key, propertyType: kind),
                hasDecimalCommas)
            _ = try types.definition(key, of: type, orMakeFor: value)
            return value
        case .typed(let value):
            let definition = try types.definition(key, of: type, orMakeFor: value)
            if definition.propertyType == value.type { return value }
            // A value that does not fit keeps its own kind, as it had where it comes from.
            return (try? values.parse(values.text(value), as: definition)) ?? value
        }
    }

    private func parse(
        _ text: String, as definition: PropertyDefinition, _ hasDecimalCommas: Bool
    ) throws -> PropertyValue {
        var text = text
        if hasDecimalCommas, definition.propertyType == .number {
            if DecimalComma.isAmbiguous(text) {
                throw RowProblem(
                    "'\(text)' is not clear as a number: the comma may stand before a fraction or between thousands; "
                        + "write a point for the comma, or leave it out")
            }
            text = DecimalComma.withPoint(text)
        }
        if definition.propertyType == .duration { text = WrittenLength.plain(text) }
        do { return try values.parse(text, as: definition) } catch { throw RowProblem(error.message) }
    }

    /// The name that the row has in every import.
    private mutating func name(of identity: EventDraft.Identity) -> String {
        switch identity {
        case .named(let name):
            return name
        case .content(let format, let hash):
            let earlier = repetitions.add(hash)
            return "\(format):\(hash.hex)" + (earlier == 0 ? "" : "-\(earlier + 1)")
        }
    }
}

/// Counts how often each row has been seen, in 8 bytes for a row that is there once.
///
/// A row is told from others by 64 bits of its hash: among a million rows the chance that two are taken for one is
/// one in forty million, and then the second has a name that counts on.
struct Repetitions {
    private var once: Set<UInt64> = []
    private var more: [UInt64: Int] = [:]

    /// How often the row was added before.
    mutating func add(_ hash: Hash128) -> Int {
        if once.insert(hash.low).inserted { return 0 }
        let count = more[hash.low, default: 1]
        more[hash.low] = count + 1
        return count
    }
}

/// An event of an import, with what else it may be here as.
struct NamedEvent: Sendable {
    var event: Event
    var otherName: String?
    /// Other ids under which it may be here.
    var otherIds: [String] = []
    /// How an export of Trendy's own holds it; nil where it comes from elsewhere.
    var form: ExportedValues.Form?

    /// The names under which it may be here.
    var names: [String] { [event.externalId, otherName].compactMap(\.self) }
}
