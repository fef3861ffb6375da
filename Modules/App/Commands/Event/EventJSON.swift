import TrendyData
import TrendyDomain
import TrendyTerminal

/// An event as `--json` prints it: the record, with the name of its type.
struct EventJSON: Encodable {
    let record: LocalRecord<Event>
    /// Nil if the type is missing.
    let typeName: String?

    private enum CodingKeys: String, CodingKey { case typeName = "event_type_name" }

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(typeName, forKey: .typeName)
    }
}

extension EventJSON {
    @MainActor
    init(_ record: LocalRecord<Event>, in context: CommandContext) throws {
        let type = try context.reader.find(EventType.self, id: record.entity.eventTypeId)
        self.init(record: record, typeName: type?.entity.name)
    }
}

extension CommandContext {
    /// Reports a created or changed event: by a sentence, or with `--json` by the event.
    func say(_ sentence: @autoclosure () -> String, event id: String) throws {
        guard wantsJSON else { return try say(sentence(), record: Event.self, id: id) }
        guard let record = try reader.find(Event.self, id: id) else { throw SilentExit(status: .done) }
        try say(sentence(), json: EventJSON(record, in: self))
    }
}
