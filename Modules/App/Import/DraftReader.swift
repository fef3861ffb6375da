import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync
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
        if definition.propertyType == .duration { text = ISODuration.plain(text) }
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

/// Gives imported events the same ids each time, so that two imports of one row make one record, also where
/// they happen at once or on two devices.
///
/// Servers keep all people's ids in one space. The ids therefore depend on whose records they are: on the
/// account, and before the first sign-in on a number that the store alone has.
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
    /// - Parameter storing: Whether the store's number may be made; without that, and without one, ids are those of
    ///   a rehearsal.
    @MainActor
    init(context: CommandContext, storing: Bool) throws {
        let account = try context.ownership.owner()?.userId
        let salt = try account ?? context.reader.metadata(Self.saltKey)
        let fresh = context.makeId()
        self.init(
            salt: try salt ?? (storing ? Self.storeSalt(context.root.stores, fresh: fresh) : fresh), now: context.now)
    }

    /// The id of the event that an import knows by this name.
    func id(_ externalId: String, at moment: Timestamp) -> String {
        var hash = Hash128()
        hash.add(salt.utf8)
        hash.add(externalId.utf8)
        // Servers refuse ids from the future. What lies there gets the same id today and tomorrow.
        let isPossible = moment.milliseconds >= 0 && moment <= now
        let id = UUIDv7(
            milliseconds: isPossible ? UInt64(moment.milliseconds) : 0, randomHigh: hash.high, randomLow: hash.low)
        return id.description
    }

    /// The id of an event that goes by a name, at whatever moment a format has it.
    ///
    /// An id of Trendy's own has its moment with it, the same in every format and every zone.
    func id(_ name: String, of draft: EventDraft) -> String {
        id(name, at: UUIDv7(name)?.timestamp ?? draft.momentOfId ?? draft.timestamp)
    }

    /// The other ids under which an event of one of Trendy's own exports may be here: those that earlier versions gave
    /// it by its time, and that of a copy made of JSON.
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
