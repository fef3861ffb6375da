import ArgumentParser

struct ConfigGetCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a setting, and nothing else.",
        discussion: """
            Example:
              trendy config get timeout

            The line is empty where nothing was said and there is no default.
            """)

    @Argument(help: "The setting: autosync, server, timeout or token.")
    var key: String

    @OptionGroup var settings: SettingFlags
    @OptionGroup var common: CommonOptions

    var needsSettings: Bool { false }

    func run(in context: CommandContext) async throws {
        let setting = try Setting.named(key)
        let report = SettingReport(setting, in: try settings.sources(in: context), showsSecrets: true)
        try context.say(report.value ?? "", json: report)
    }
}
