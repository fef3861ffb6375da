import ArgumentParser

struct ConfigUnsetCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Take a setting out of the configuration file.",
        discussion: "Example:\n  trendy config unset timeout")

    @Argument(help: "The setting, or any other key that the file has.")
    var key: String

    @OptionGroup var common: CommonOptions

    var needsSettings: Bool { false }

    func run(in context: CommandContext) async throws {
        let folders = context.root.configuration.folders
        let file = ConfigurationFile(path: folders.configuration)
        let present = try file.read()?.keys ?? []
        // What is no setting can stand in the file too, and must be removable.
        let name = present.contains(key) ? key : try Setting.named(key).key
        if present.contains(name) { try file.update { try $0.remove(name) } }
        let verb = present.contains(name) ? "took \(name) out of \(file.path)" : "\(file.path) does not set \(name)"
        guard let setting = Setting.all.first(where: { $0.key == name }) else {
            return try context.say(verb, json: ["key": name])
        }
        let said = try SettingSources.load(folders, flags: [:], environment: context.process.environment)
        let report = SettingReport(setting, in: said)
        try context.say("\(verb); it is \(report.value ?? setting.standardText) now", json: report)
    }
}
