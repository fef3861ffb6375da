import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

struct TypeAddCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a type of event.",
        discussion: "Example:\n  trendy type add run --color green --icon 🏃")

    @Argument(help: "The name; unique among your types.")
    var name: String

    @Option(name: .long, help: "The colour: #RRGGBB or a name like green.")
    var color: String?

    @Option(name: .long, help: "The name of an icon, or an emoji.")
    var icon: String?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let name = try Names.checkedType(name, example: "'trendy type add coffee'")
        let type = EventType(
            id: context.makeId(), name: name,
            color: try color.map { try ColorText.parse($0) } ?? EventType.defaultColor,
            icon: icon ?? EventType.defaultIcon)
        try await context.store.perform { writes in
            try writes.requireFreeTypeName(name)
            try writes.create(type)
        }
        try context.say(
            "added type \(name) (\(ShortId.of(type.id)))\(Self.hint(name))", record: EventType.self, id: type.id)
    }

    /// How to log a type that a command hides; empty for others.
    static func hint(_ name: String) -> String {
        let command = name.lowercased()
        guard CommandTree.names.contains(command) else { return "" }
        return "; 'trendy \(command)' is a command, so log it with 'trendy log \(quoted(name))'"
    }
}
