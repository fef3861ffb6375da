import ArgumentParser

/// A command of `trendy` that does something.
protocol RunnableCommand: ParsableCommand {
    var common: CommonOptions { get }
    /// Settings that the command line gives, by the names of ``TrendyConfiguration``'s keys.
    var flags: [String: String] { get }
    @MainActor func run(in context: CommandContext) async throws
}

extension RunnableCommand {
    var flags: [String: String] { [:] }
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON with the field names of the API.")
    var json = false
}
