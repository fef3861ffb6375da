import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct TypeGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "Manage the types of events: add, list, edit, rm.",
        discussion: "Example:\n  trendy type add coffee --color brown --icon ☕",
        subcommands: [TypeAddCommand.self, TypeListCommand.self, TypeEditCommand.self, TypeRemoveCommand.self])
}

struct TypeAddCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a type of event.",
        discussion: "Example:\n  trendy type add run --color green --icon 🏃")

    @Argument(help: "The name, unique among your types.")
    var name: String

    @Option(name: .long, help: "The colour: #RRGGBB or a name like green (default: a rare one).")
    var color: String?

    @Option(name: .long, help: "An emoji, or the name of an icon.")
    var icon: String?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let name = try Names.checkedType(name, example: "'trendy type add coffee'")
        let type = EventType(
            id: context.makeId(), name: name,
            color: try color.map { try ColorText.parse($0) } ?? context.newColor(),
            icon: icon ?? EventType.defaultIcon)
        try await context.store.perform { writes in
            try writes.requireFreeTypeName(name)
            try writes.create(type)
        }
        try context.say(
            "added type \(name) (\(ShortId.of(type.id)))\(Self.hint(name))", record: EventType.self, id: type.id)
    }

    /// How to log a type whose name is also a command; empty for others.
    static func hint(_ name: String) -> String {
        let command = name.lowercased()
        guard CommandTree.names.contains(command) else { return "" }
        return "; 'trendy \(command)' is a command, so log it with 'trendy log \(quoted(name))'"
    }
}

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
        try context.print(table, on: context.screen, whenEmpty: "no types yet; add one with 'trendy type add NAME'")
        if types.isEmpty { try context.remarkBeforeFirstSync() }
    }
}

/// A type as JSON, with the additional columns of the list.
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

struct TypeRemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a type with its events and properties.",
        discussion: "Example:\n  trendy type rm headache --yes")

    @Argument(help: "The type: a name or an id.")
    var type: String

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type, inFull: true).entity
        let events = try await context.root.repository.count(matching: EventFilter(eventTypeIds: [type.id]))
        let properties = try context.lookup.properties(of: type.id).count
        let what =
            "type \(type.name) with its \(counted(events, "event")) and \(counted(properties, "property", "properties"))"
        try context.confirmation(yes).require("delete the \(what)")
        let progress = context.progress("deleting \(counted(events, "event"))", unit: "")
        let store = try context.store
        try await progress.during({ $0.show(0) }) { try await store.delete(EventType.self, id: type.id) }
        try context.say(
            "deleted \(what) (\(ShortId.of(type.id)))",
            json: DeletionResult(deleted: [type.id], events: events, propertyDefinitions: properties))
    }
}

/// The result of a deletion, as JSON.
struct DeletionResult: Encodable {
    /// The ids of the named records.
    var deleted: [String]
    /// The number of events that were deleted with them.
    var events: Int?
    /// The number of property definitions that were deleted with them.
    var propertyDefinitions: Int?

    private enum CodingKeys: String, CodingKey {
        case deleted, events
        case propertyDefinitions = "property_definitions"
    }
}
