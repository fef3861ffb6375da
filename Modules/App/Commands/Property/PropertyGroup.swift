import ArgumentParser
import TrendyNotation

struct PropertyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prop", abstract: "The properties that events of a type can have: add, list, edit, rm.",
        discussion: "Example:\n  trendy prop add run km --kind number --label Distance",
        subcommands: [
            PropertyAddCommand.self, PropertyListCommand.self, PropertyEditCommand.self, PropertyRemoveCommand.self,
        ])
}
