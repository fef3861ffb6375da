import ArgumentParser

/// A command of `trendy` that does something.
protocol RunnableCommand: ParsableCommand, CommandAction {
    var common: CommonOptions { get }
}

extension RunnableCommand {
    var wantsJSON: Bool { common.json }
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON with the field names of the API.")
    var json = false
}
