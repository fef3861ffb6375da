import ArgumentParser
import TrendyDomain
import TrendyTerminal

struct PlaceRemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a place; events that it logged stay.",
        discussion: "Example:\n  trendy place rm gym --yes")

    @Argument(help: "The place: its name or id.")
    var place: String

    @Flag(name: .shortAndLong, help: "Do not ask; without a terminal it never asks.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let place = try context.lookup.place(place).entity
        if context.process.input.isTerminal {
            try context.confirmation(yes).require("delete the place \(place.name)")
        }
        try await context.store.delete(Geofence.self, id: place.id)
        try context.say(
            "deleted place \(place.name) (\(ShortId.of(place.id)))", json: Removal(deleted: [place.id]))
    }
}
