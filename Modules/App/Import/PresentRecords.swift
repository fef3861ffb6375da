import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync

/// Compares existing records with the values of a Trendy export.
enum ExportComparison {
    /// The format of an event in a Trendy export.
    enum Form: Sendable {
        /// JSON, with all fields.
        case record
        /// A row of CSV. It cannot define places, and an empty text equals a missing one. Fields without a column are not
        /// changed.
        case row(RowFields)
    }

    /// The existing event with the values of the file; nil if they are equal, or the file is not a Trendy export.
    ///
    /// Its ids and its source are not changed.
    static func event(_ present: Event, with named: IdentifiedEvent) -> Event? {
        guard let form = named.form else { return nil }
        var event = named.event
        event.id = present.id
        event.externalId = present.externalId
        event.sourceType = present.sourceType
        if case .row(let fields) = form {
            fields.fill(&event, from: present)
            if event.geofenceId == nil { event.geofenceId = present.geofenceId }
            if event.notes == nil, present.notes == "" { event.notes = present.notes }
            if event.originalTitle == nil, present.originalTitle == "" { event.originalTitle = present.originalTitle }
            if event.locationName == nil, present.locationName == "" { event.locationName = present.locationName }
        }
        return event == present ? nil : event
    }

    /// Refuses values that would make an existing event invalid.
    @MainActor
    static func refuseUnfit(_ named: IdentifiedEvent, in context: CommandContext) throws {
        guard let form = named.form else { return }
        var isWhole = true
        if case .row(let fields) = form { isWhole = fields == .all }
        // A valid event needs no access to the store.
        if isWhole, (try? named.event.validate()) != nil { return }
        guard let present = try named.present(in: context.reader), let event = event(present, with: named) else {
            return
        }
        do { try context.reader.validate(event) } catch { throw RowError("\(error)") }
    }

    /// The events that exist with other values than in the file.
    @MainActor
    static func differing(_ events: [IdentifiedEvent], in context: CommandContext) throws -> [IdentifiedEvent] {
        let own = events.filter { $0.form != nil }
        if own.isEmpty { return [] }
        // Either most events are new, or most exist; one query finds out.
        let repository = try context.root.repository
        let ids = try repository.existingIds(among: own.flatMap(\.ids))
        let names = try repository.existingExternalIds(among: own.flatMap(\.names))
        return try own.filter { named in
            guard !ids.isDisjoint(with: named.ids) || !names.isDisjoint(with: named.names),
                let present = try named.present(in: context.reader)
            else { return false }
            return event(present, with: named) != nil
        }
    }
}

extension IdentifiedEvent {
    /// The ids that the stored event may have.
    var ids: [String] { [event.id] + names.compactMap { UUIDv7($0)?.description } + otherIds }

    /// The stored event with one of the ids or external ids.
    func present(in reader: StoreReader) throws -> Event? {
        for id in ids {
            if let record = try reader.find(Event.self, id: id) { return record.entity }
        }
        for name in names {
            let condition = FieldCondition(Event.CodingKeys.externalId.rawValue, equals: name)
            if let record = try reader.fetch(Event.self, where: condition).first { return record.entity }
        }
        return nil
    }
}

/// The counts of some events of an import.
struct ImportCount {
    /// The number of new events.
    var new = 0
    /// The number of existing events with other values.
    var differing = 0
}

/// Finds the fields of the file that existing events lack, because an import does not change them.
@MainActor
struct IgnoredFields {
    /// The number of events to compare; a sample is enough.
    private static let limit = 50

    private var looked = 0
    private var fields: [String] = []

    /// Compares some of the events.
    mutating func look(at events: [IdentifiedEvent], in context: CommandContext) throws {
        guard looked < Self.limit, !events.isEmpty else { return }
        for place in stride(from: 0, to: events.count, by: max(1, events.count / Self.limit)) {
            looked += 1
            // Events of a Trendy export are compared completely elsewhere.
            guard events[place].form == nil, let present = try events[place].present(in: context.reader) else {
                continue
            }
            for field in Self.fields(of: events[place].event, beyond: present) where !fields.contains(field) {
                fields.append(field)
            }
        }
    }

    /// The fields of an event that the existing one lacks.
    private static func fields(of event: Event, beyond present: Event) -> [String] {
        var fields: [String] = []
        if event.endDate != nil, present.endDate == nil { fields.append("end") }
        if event.isAllDay, !present.isAllDay { fields.append("all day") }
        if event.notes != nil, present.notes == nil { fields.append("note") }
        if event.locationName != nil, present.locationName == nil { fields.append("location") }
        if event.locationLatitude != nil, present.locationLatitude == nil { fields.append("position") }
        return fields + event.properties.keys.sorted().filter { present.properties[$0] == nil }
    }

    /// The remark, if there are such fields.
    var remarks: [String] {
        if fields.isEmpty { return [] }
        let names = fields.prefix(5).joined(separator: ", ") + (fields.count > 5 ? " and more" : "")
        return [
            "existing events were not changed, although the file has more fields (\(names)); change them with "
                + "'trendy edit', or undo the former import with 'trendy undo' and import the file again"
        ]
    }
}
