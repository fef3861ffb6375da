import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct ConfigSetCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Write a setting into the configuration file.",
        discussion: """
            Example:
              trendy config set timeout 30
              trendy config set autosync false

            Comments and what else is in the file stay as they are.
            """)

    @Argument(help: "The setting: autosync, server, timeout or token.")
    var key: String

    @Argument(parsing: .allUnrecognized, help: "The value.")
    var value: [String] = []

    @OptionGroup var common: CommonOptions

    var needsSettings: Bool { false }

    func check() throws {
        guard value.count == 1 else {
            throw CommandFailure.usage("one value is needed: trendy config set KEY VALUE")
        }
    }

    func run(in context: CommandContext) async throws {
        let setting = try Setting.named(key)
        let value: JSONValue
        do { value = try setting.kind.value(Names.trimmed(self.value[0])) } catch {
            let text = setting.shown(self.value[0])
            throw CommandFailure.data("'\(text)' is no value of the setting '\(setting.key)': \(error.message)")
        }
        let folders = context.root.configuration.folders
        try ConfigurationFile(path: folders.configuration).update { try $0.set(setting.key, to: value) }
        let said = try SettingSources.load(folders, flags: [:], environment: context.process.environment)
        try context.say(
            "set \(setting.key) to \(setting.shown(JSONText.of(value))) in \(folders.configuration)",
            json: SettingReport(setting, in: said))
        if said.source(setting) == .environment {
            try context.remark("\(setting.variable) is set and wins over the file")
        }
    }
}
