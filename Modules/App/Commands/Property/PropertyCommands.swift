import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct PropertyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prop", abstract: "Manage the properties of a type: add, list, edit, rm.",
        discussion: "Example:\n  trendy prop add run km --kind number --label Distance",
        subcommands: [
            PropertyAddCommand.self, PropertyListCommand.self, PropertyEditCommand.self, PropertyRemoveCommand.self,
        ])
}

struct PropertyAddCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a property to a type.",
        discussion: "Example:\n  trendy prop add coffee size --kind select --options small,large")

    @Argument(help: "The type: a name or an id.")
    var type: String

    @Argument(help: "The key, unique within the type.")
    var key: String

    @Option(name: .long, help: "text, number, boolean, date, select, duration, url or email.")
    var kind: String

    @OptionGroup var fields: PropertyFields
    @OptionGroup var common: CommonOptions

    func check() throws { try Assignment.requireUsable(Names.trimmed(key)) }

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type).entity
        let key = Names.trimmed(key)
        var definition = PropertyDefinition(
            id: context.makeId(), eventTypeId: type.id, key: key, label: key,
            propertyType: try PropertyFields.kind(kind))
        try fields.apply(to: &definition, in: context)
        let described = definition
        try await context.store.perform { writes in
            try writes.require(EventType.self, id: type.id, named: type.name)
            let present = try writes.fetch(
                PropertyDefinition.self, where: FieldCondition("event_type_id", equals: type.id))
            try Names.requireFree(key, among: present, by: \.key)
            var definition = described
            definition.displayOrder = (present.map(\.displayOrder).max() ?? -1) + 1
            try writes.create(definition)
        }
        try context.say(
            "added property \(key) (\(definition.propertyType)) to \(type.name) (\(ShortId.of(definition.id)))",
            record: PropertyDefinition.self, id: definition.id)
    }
}

struct PropertyListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the properties of a type, or of all types.",
        discussion: "Example:\n  trendy prop list coffee")

    @Argument(help: "The type: a name or an id.")
    var type: String?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let types = try type.map { [try context.lookup.type($0)] } ?? (try context.reader.fetch(EventType.self))
        let sorted = types.map(\.entity).sorted { $0.name < $1.name }
        let found = try sorted.map { ($0, try context.lookup.properties(of: $0.id)) }
        if context.wantsJSON { return try context.output.jsonArray(found.flatMap { $0.1 }) }
        var table = TextTable(
            "ID", "TYPE", "KEY", "KIND", "LABEL", "DEFAULT", "OPTIONS", spare: ["LABEL", "DEFAULT"], elastic: "OPTIONS")
        for (type, properties) in found {
            for property in properties.map(\.entity) {
                table.add(
                    ShortId.of(property.id), type.name, property.key, property.propertyType.rawValue, property.label,
                    context.properties.defaultText(of: property), (property.options ?? []).joined(separator: ", "))
            }
        }
        try context.print(
            table, on: context.screen,
            whenEmpty: "no properties yet; add one with 'trendy prop add TYPE KEY --kind number'")
    }
}

struct PropertyRemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a property of a type. The values in events stay.",
        discussion: "Example:\n  trendy prop rm coffee size --yes")

    @Argument(help: "The type: a name or an id.")
    var type: String

    @Argument(help: "The property: a key or an id.")
    var key: String

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type).entity
        let definition = try context.lookup.property(key, of: type).entity
        if context.process.input.isTerminal {
            try context.confirmation(yes).require("delete the property \(definition.key) of \(type.name)")
        }
        try await context.store.delete(PropertyDefinition.self, id: definition.id)
        try context.say(
            "deleted property \(definition.key) of \(type.name) (\(ShortId.of(definition.id)))",
            json: DeletionResult(deleted: [definition.id]))
    }
}
