import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct TypeRemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a type with its events and properties.",
        discussion: "Example:\n  trendy type rm headache --yes")

    @Argument(help: "The type: its name or id.")
    var type: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
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
            json: Removal(deleted: [type.id], events: events, propertyDefinitions: properties))
    }
}

/// What a deletion took away, as JSON.
struct Removal: Encodable {
    /// The ids of the records that were named.
    var deleted: [String]
    /// How many events went with them.
    var events: Int?
    /// How many property definitions went with them.
    var propertyDefinitions: Int?

    private enum CodingKeys: String, CodingKey {
        case deleted, events
        case propertyDefinitions = "property_definitions"
    }
}
