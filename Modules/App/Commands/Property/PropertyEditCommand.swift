import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct PropertyEditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a property of a type.",
        discussion: "Example:\n  trendy prop edit coffee size --options small,medium,large")

    @Argument(help: "The type: its name or id.")
    var type: String

    @Argument(help: "The property: its key or id.")
    var key: String

    @Option(name: .long, help: "The new kind; values that events have already stay as they are.")
    var kind: String?

    @OptionGroup var fields: PropertyFields

    @Flag(name: .long, help: "Have no default value.")
    var clearDefault = false

    @Option(name: .long, help: "The place among the type's properties, smallest first.")
    var order: Int?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if kind == nil, fields.label == nil, fields.options == nil, fields.defaultValue == nil, !clearDefault,
            order == nil
        {
            throw CommandFailure.usage(
                "nothing to change: give --label, --kind, --options, --default, --clear-default or --order")
        }
        if clearDefault && fields.defaultValue != nil {
            throw CommandFailure.usage("--default and --clear-default exclude each other")
        }
    }

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type).entity
        let before = try context.lookup.property(key, of: type).entity
        var definition = before
        if let kind {
            definition.propertyType = try PropertyFields.kind(kind)
            if definition.propertyType != .select { definition.options = nil }
        }
        if clearDefault { definition.defaultValue = nil }
        if let order { definition.displayOrder = order }
        try fields.apply(to: &definition, in: context)
        let isKept = fields.defaultValue == nil && !clearDefault
        let byDefault = PropertyDefault(before: before, properties: context.properties)
        if isKept { try byDefault.requireFitting(definition) }
        let told = byDefault.convert(in: &definition, isKept: isKept)
        let after = definition
        try await context.store.perform { try $0.change(before, to: after, named: before.key) }
        try context.say(
            "changed property \(after.key) of \(type.name) (\(ShortId.of(after.id)))\(told)",
            record: PropertyDefinition.self, id: after.id)
    }
}
