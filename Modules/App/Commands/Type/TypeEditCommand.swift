import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct TypeEditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a type of event.",
        discussion: "Example:\n  trendy type edit run --name jog --color teal --alias r")

    @Argument(help: "The type: a name or an id.")
    var type: String

    @Option(name: .long, help: "The new name.")
    var name: String?

    @Option(name: .long, help: "The new colour: #RRGGBB or a name like green.")
    var color: String?

    @Option(name: .long, help: "The new icon.")
    var icon: String?

    @Option(name: .long, help: "Add an alias for this device, like c in 'trendy c'; repeatable.")
    var alias: [String] = []

    @Option(name: .long, help: "Remove this alias; repeatable.")
    var clearAlias: [String] = []

    @OptionGroup var common: CommonOptions

    func check() throws {
        if name == nil && color == nil && icon == nil && alias.isEmpty && clearAlias.isEmpty {
            throw CommandFailure.usage("nothing to change: give --name, --color, --icon or --alias")
        }
        for alias in alias where Names.trimmed(alias).isEmpty || alias.contains("=") || alias.hasPrefix("-") {
            throw CommandFailure.usage("'\(alias)' cannot be an alias; choose a short word")
        }
    }

    func run(in context: CommandContext) async throws {
        let before = try context.lookup.type(type, inFull: true).entity
        var after = before
        if let name { after.name = try Names.checkedType(name, example: "--name coffee, or leave --name out") }
        if let color { after.color = try ColorText.parse(color) }
        if let icon { after.icon = icon }
        let changed = after
        let (added, cleared) = (try alias.map { try Names.checked($0) }, clearAlias.map(Names.plain))
        let aliases = try await context.store.perform { writes in
            if !Names.areSame(changed.name, before.name) {
                try writes.requireFreeTypeName(changed.name, but: before.id)
            }
            try writes.change(before, to: changed, named: before.name)
            return try AliasChange(added: added, cleared: cleared).apply(to: changed, in: writes)
        }
        let renamed = after.name == before.name ? "" : " to \(after.name)"
        let verb =
            after == before && aliases.isEmpty
            ? "type \(before.name) did not change" : "changed type \(before.name)\(renamed)"
        let hint = renamed.isEmpty ? "" : TypeAddCommand.hint(after.name)
        try context.say("\(verb) (\(ShortId.of(after.id)))\(aliases)\(hint)", record: EventType.self, id: after.id)
    }
}
