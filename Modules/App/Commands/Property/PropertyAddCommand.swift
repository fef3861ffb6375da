import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync

struct PropertyAddCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give the events of a type a property.",
        discussion: "Example:\n  trendy prop add coffee size --kind select --options small,large")

    @Argument(help: "The type: its name or id.")
    var type: String

    @Argument(help: "The key; unique within the type.")
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
