import ArgumentParser

struct ConfigGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The settings of this device: list, get, set, unset.",
        discussion: """
            Example:
              trendy config set timeout 30
              trendy config list

            A flag wins over an environment variable, that over the file, that over the
            default. 'trendy help settings' describes each setting.
            """,
        subcommands: [
            ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
        ])
}

/// The setting that a command of `trendy config` is about, and the flags that it takes part with.
struct SettingFlags: ParsableArguments {
    @Option(name: .long, help: "Look as a command with this option would.")
    var server: String?

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }

    @MainActor
    func sources(in context: CommandContext) throws -> SettingSources {
        try SettingSources.load(
            context.root.configuration.folders, flags: flags, environment: context.process.environment)
    }
}
