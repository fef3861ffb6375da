import ArgumentParser
import TrendyDomain
import TrendyTerminal

struct PropertyRemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a property of a type; values that events have already stay.",
        discussion: "Example:\n  trendy prop rm coffee size --yes")

    @Argument(help: "The type: its name or id.")
    var type: String

    @Argument(help: "The property: its key or id.")
    var key: String

    @Flag(name: .shortAndLong, help: "Do not ask; without a terminal it never asks.")
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
            json: Removal(deleted: [definition.id]))
    }
}
