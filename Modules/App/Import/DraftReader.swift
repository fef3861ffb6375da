import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Converts event drafts from other formats into events.
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
        // The locale says nothing of a file. Where commas stand before fractions, the source reads them.
        values = PropertyText(times: context.times)
        reader = try context.reader
    }

    /// The event that a row describes.
    ///
    /// - Throws: ``RowError`` if the row is not a valid event.
    mutating func event(_ draft: EventDraft) throws -> IdentifiedEvent {
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
            do { try reader.validate(event) } catch { throw RowError("\(error)") }
            return IdentifiedEvent(event: event, otherName: otherName, otherIds: otherIds)
        }
        event.sourceType = exported.sourceType
        event.geofenceId = exported.geofenceId
        event.healthKitSampleId = exported.healthKitSampleId
        event.healthKitCategory = exported.healthKitCategory
        if let externalId = exported.externalId { event.externalId = externalId }
        try RecordCatalogue.validate(event, in: reader)
        let shownName = exported.externalId == nil ? otherName : name
        return IdentifiedEvent(event: event, otherName: shownName, otherIds: otherIds, form: .row(exported.fields))
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
            // A value of the wrong kind does not define a property.
            let value = try parse(
                text,
                as: PropertyDefinition(id: "", eventTypeId: type.id, key: key, label: key, propertyType: kind),
                hasDecimalCommas)
            _ = try types.definition(key, of: type, orMakeFor: value)
            return value
        case .typed(let value):
            let definition = try types.definition(key, of: type, orMakeFor: value)
            if definition.propertyType == value.type { return value }
            // A value that does not fit keeps the kind that it has in the file.
            return (try? values.parse(values.text(value), as: definition)) ?? value
        }
    }

    private func parse(
        _ text: String, as definition: PropertyDefinition, _ hasDecimalCommas: Bool
    ) throws -> PropertyValue {
        var text = text
        if hasDecimalCommas, definition.propertyType == .number {
            if DecimalComma.isAmbiguous(text) {
                throw RowError(
                    "the number '\(text)' is ambiguous: the comma may be a decimal or a thousands separator; "
                        + "replace the comma by a point, or leave it out")
            }
            text = DecimalComma.withPoint(text)
        }
        if definition.propertyType == .duration { text = ISODuration.plain(text) }
        do { return try values.parse(text, as: definition) } catch { throw RowError(error.message) }
    }

    /// The identity of the row, which is the same in every import.
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

/// Counts the repetitions of each row, with 8 bytes per distinct row.
///
/// Rows are compared by 64 bits of their hashes. Among a million rows, the probability of a collision is one in forty
/// million; the second row then counts as a repetition.
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

/// An event of an import, with its other possible ids.
struct IdentifiedEvent: Sendable {
    var event: Event
    var otherName: String?
    /// Other ids that the stored event may have.
    var otherIds: [String] = []
    /// The form in an export of Trendy; nil for other files.
    var form: ExportComparison.Form?

    /// The external ids that the stored event may have.
    var names: [String] { [event.externalId, otherName].compactMap(\.self) }
}

/// Derives the ids of imported events, so that importing a row twice creates one record, even at the same time or on two
/// devices.
///
/// On a server, ids are unique across accounts. So the ids depend on the account, or before the first sign-in on a
/// random number of the store.
struct ImportIds {
    static let saltKey = "app.import_salt"

    private let salt: String
    private let now: Timestamp

    init(salt: String, now: Timestamp) {
        self.salt = salt
        self.now = now
    }

    /// The ids for a store.
    ///
    /// - Parameter storing: Whether the random number may be stored if there is none; not so for `--dry-run`.
    @MainActor
    init(context: CommandContext, storing: Bool) throws {
        let account = try context.ownership.owner()?.userId
        let salt = try account ?? context.reader.metadata(Self.saltKey)
        let fresh = context.makeId()
        self.init(
            salt: try salt ?? (storing ? Self.storeSalt(context.root.stores, fresh: fresh) : fresh), now: context.now)
    }

    /// The id of the event with an external id.
    func id(_ externalId: String, at moment: Timestamp) -> String {
        var hash = Hash128()
        hash.add(salt.utf8)
        hash.add(externalId.utf8)
        // Servers refuse ids from the future, so the id of a future event does not contain its time.
        let isPossible = moment.milliseconds >= 0 && moment <= now
        let id = UUIDv7(
            milliseconds: isPossible ? UInt64(moment.milliseconds) : 0, randomHigh: hash.high, randomLow: hash.low)
        return id.description
    }

    /// The id of a draft with an external id.
    ///
    /// If the external id is an id of Trendy, its time is used, which is the same in every format and zone.
    func id(_ name: String, of draft: EventDraft) -> String {
        id(name, at: UUIDv7(name)?.timestamp ?? draft.momentOfId ?? draft.timestamp)
    }

    /// The other ids that an event of a Trendy export may have here: those of earlier versions, which depended on its time,
    /// and that of a copy from JSON.
    func otherIds(_ name: String, of draft: EventDraft) -> [String] {
        guard let own = UUIDv7(name) else { return [] }
        var ids: Set<String> = [id("json:\(name)", at: own.timestamp), id(name, at: draft.timestamp)]
        if let moment = draft.momentOfId { ids.insert(id(name, at: moment)) }
        return ids.sorted()
    }

    private static func storeSalt(_ stores: LocalStoreFactory, fresh: String) throws -> String {
        let store = try stores.makeDataStore()
        try store.begin()
        if let salt = try store.metadata(saltKey) { return salt }
        try store.setMetadata(saltKey, fresh)
        try store.save()
        return fresh
    }
}
