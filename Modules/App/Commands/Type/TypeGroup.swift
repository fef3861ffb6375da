import ArgumentParser

struct TypeGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "type", abstract: "The types of events: add, list, edit, rm.",
        discussion: "Example:\n  trendy type add coffee --color brown --icon ☕",
        subcommands: [TypeAddCommand.self, TypeListCommand.self, TypeEditCommand.self, TypeRemoveCommand.self])
}
