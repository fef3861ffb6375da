import ArgumentParser
import TrendyTerminal

struct ConfigListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show each setting, its value, and where that is from.",
        discussion: """
            Example:
              trendy config list
              TRENDY_TIMEOUT=5 trendy config list --json
            """)

    @OptionGroup var settings: SettingFlags
    @OptionGroup var common: CommonOptions

    var needsSettings: Bool { false }

    func run(in context: CommandContext) async throws {
        let said = try settings.sources(in: context)
        let reports = Setting.all.map { SettingReport($0, in: said) }
        if context.wantsJSON {
            try context.output.jsonArray(reports)
        } else {
            var table = TextTable("KEY", "VALUE", "SOURCE")
            for (setting, report) in zip(Setting.all, reports) {
                table.add(report.key, report.value ?? setting.standardText, report.sourceText)
            }
            try context.print(table, whenEmpty: "")
        }
        try remarkOnUnknownKeys(in: context)
    }

    @MainActor
    private func remarkOnUnknownKeys(in context: CommandContext) throws {
        let file = ConfigurationFile(path: context.root.configuration.folders.configuration)
        let known = Set(Setting.all.map(\.key))
        for key in try file.read()?.keys ?? [] where !known.contains(key) {
            try context.remark("\(file.path) has '\(key)', which is no setting; \(Setting.hint(key))")
        }
    }
}
