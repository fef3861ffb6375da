import TrendyData
import TrendyDomain
import TrendyNotation

/// What a file says of events that are here already and lack it: an import leaves them as they are.
@MainActor
struct UntakenFields {
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
