import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyTerminal

struct TypeListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the types of events.", discussion: "Example:\n  trendy type list")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let types = try context.reader.fetch(EventType.self).sorted { $0.entity.name < $1.entity.name }
        let aliases = try TypeAliases.load(context.reader)
        let counts = try await context.root.repository.countsByType(matching: EventFilter())
        if context.wantsJSON {
            return try context.output.jsonArray(
                types.map {
                    ListedType(
                        record: $0, aliases: aliases.aliases(of: $0.id), eventCount: counts[$0.id, default: 0])
                })
        }
        var table = TextTable("ID", "NAME", "ALIAS", "COLOR", "ICON", "EVENTS", spare: ["ICON", "COLOR"])
        for type in types {
            let entity = type.entity
            table.add(
                ShortId.of(type.id), entity.name, aliases.aliases(of: type.id).joined(separator: ", "), entity.color,
                entity.icon, String(counts[type.id, default: 0]))
        }
        try context.print(table, on: context.screen, whenEmpty: "no types yet; make one with 'trendy type add NAME'")
        if types.isEmpty { try context.remarkBeforeFirstSync() }
    }
}

/// A type as JSON, with what else the list has of it.
private struct ListedType: Encodable {
    let record: LocalRecord<EventType>
    let aliases: [String]
    let eventCount: Int

    private enum CodingKeys: String, CodingKey {
        case aliases
        case eventCount = "event_count"
    }

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(aliases, forKey: .aliases)
        try container.encode(eventCount, forKey: .eventCount)
    }
}
