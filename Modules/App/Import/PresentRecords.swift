import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync

/// What an export of Trendy's own says of records that are here already.
enum ExportedValues {
    /// The form in which a file holds an event of Trendy's own.
    enum Form: Sendable {
        /// JSON, with all fields.
        case record
        /// A row of CSV, which has no place that is not here, and does not tell an empty text from none: what it has
        /// no column for stays as it is here.
        case row(RowFields)
    }

    /// The event that is here, with the values of the file; nil where it has them already, or the file is foreign.
    ///
    /// What it is known by stays as it is here, and so does where it came from.
    static func event(_ present: Event, with named: NamedEvent) -> Event? {
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

    /// Refuses an event that is here and would become what nobody may write, such as one that only a newer version
    /// can make.
    @MainActor
    static func refuseUnfit(_ named: NamedEvent, in context: CommandContext) throws {
        guard let form = named.form else { return }
        var isWhole = true
        if case .row(let fields) = form { isWhole = fields == .all }
        // What is whole and good needs no look at the store.
        if isWhole, (try? named.event.validate()) != nil { return }
        guard let present = try named.present(in: context.reader), let event = event(present, with: named) else {
            return
        }
        do { try context.reader.validate(event) } catch { throw RowProblem("\(error)") }
    }

    /// Those of some events that are here with other values than in their file.
    @MainActor
    static func differing(_ events: [NamedEvent], in context: CommandContext) throws -> [NamedEvent] {
        let own = events.filter { $0.form != nil }
        if own.isEmpty { return [] }
        // Most are new, or most are here: one look tells which.
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

extension NamedEvent {
    /// The ids under which it may be here.
    var ids: [String] { [event.id] + names.compactMap { UUIDv7($0)?.description } + otherIds }

    /// The event that is here under one of its ids or names.
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

/// What came of some events of an import.
struct ImportCount {
    /// How many were not here.
    var new = 0
    /// How many were here with other values, where somebody asks.
    var differing = 0
}

/// What a file says of events that are here already and lack it: an import leaves them as they are.
@MainActor
struct IgnoredFields {
    /// How many events are looked at; those of one file are alike.
    private static let limit = 50

    private var looked = 0
    private var fields: [String] = []

    /// Looks at some of the events that were handed on, new ones among them.
    mutating func look(at events: [NamedEvent], in context: CommandContext) throws {
        guard looked < Self.limit, !events.isEmpty else { return }
        for place in stride(from: 0, to: events.count, by: max(1, events.count / Self.limit)) {
            looked += 1
            // Those of an export of Trendy's own are compared one by one.
            guard events[place].form == nil, let present = try events[place].present(in: context.reader) else {
                continue
            }
            for field in Self.fields(of: events[place].event, beyond: present) where !fields.contains(field) {
                fields.append(field)
            }
        }
    }

    /// What an event of a file has and the one that is here has not.
    private static func fields(of event: Event, beyond present: Event) -> [String] {
        var fields: [String] = []
        if event.endDate != nil, present.endDate == nil { fields.append("end") }
        if event.isAllDay, !present.isAllDay { fields.append("whole day") }
        if event.notes != nil, present.notes == nil { fields.append("note") }
        if event.locationName != nil, present.locationName == nil { fields.append("location") }
        if event.locationLatitude != nil, present.locationLatitude == nil { fields.append("position") }
        return fields + event.properties.keys.sorted().filter { present.properties[$0] == nil }
    }

    /// What a person has to know, where there is something.
    var remarks: [String] {
        if fields.isEmpty { return [] }
        let names = fields.prefix(5).joined(separator: ", ") + (fields.count > 5 ? " and more" : "")
        return [
            "events that are here already stay as they are, without what the file says of them beyond that (\(names)); "
                + "'trendy edit' changes them; while the import that made them is the latest change, 'trendy undo' takes "
                + "it back, and this one makes them anew with all of it"
        ]
    }
}
