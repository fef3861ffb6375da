import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyTerminal

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

struct ConfigGetCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a setting, and nothing else.",
        discussion: """
            Example:
              trendy config get timeout

            The line is empty where nothing was said and there is no default.
            """)

    @Argument(help: "The setting: \(Setting.choice).")
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

struct ConfigSetCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Write a setting into the configuration file.",
        discussion: """
            Example:
              trendy config set timeout 30
              trendy config set autosync false

            Comments and what else is in the file stay as they are.
            """)

    @Argument(help: "The setting: \(Setting.choice).")
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
        do { value = try setting.kind.value(path(Names.trimmed(self.value[0]), of: setting, in: context)) } catch {
            let text = setting.shown(self.value[0])
            throw CommandFailure.data("'\(text)' is no value of the setting '\(setting.key)': \(error.message)")
        }
        let folders = context.root.configuration.folders
        try ConfigurationFile(path: folders.configuration).update { try $0.set(setting.key, to: value) }
        let said = try SettingSources.load(folders, flags: [:], environment: context.process.environment)
        try context.say(
            "set \(setting.key) to \(setting.shown(JSONValueText.of(value))) in \(folders.configuration)",
            json: SettingReport(setting, in: said))
        if said.source(setting) == .environment {
            try context.remark("\(setting.variable) is set and wins over the file")
        }
    }
}

extension ConfigSetCommand {
    /// The path of a file from the root on, because the file of settings is read in every folder; other values as they
    /// are.
    @MainActor
    private func path(_ text: String, of setting: Setting, in context: CommandContext) -> String {
        guard setting.kind == .certificates, !text.hasPrefix("/"), !text.isEmpty,
            let folder = context.process.workingFolder()
        else { return text }
        return "\(folder)/\(text)"
    }
}

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

/// A setting with its value and source, as `--json` writes it.
struct SettingReport: Encodable {
    let key: String
    /// What was said, else the default; nil where there is none. Without what is secret.
    let value: String?
    let source: String
    /// The flag, variable or file that says so; nil for a default.
    let place: String?
    let meaning: String
    let takes: String
    let `default`: String?
    let variable: String
    let flag: String?
    /// What is wrong with the value.
    let problem: String?

    enum CodingKeys: String, CodingKey {
        case key, value, source, place, meaning, takes, `default`, variable, flag, problem
    }

    init(_ setting: Setting, in said: SettingSources, showsSecrets: Bool = false) {
        key = setting.key
        let text = said.text(setting)
        value = text.map { showsSecrets ? $0 : setting.shown($0) } ?? setting.standard
        source = said.source(setting).rawValue
        place = said.source(setting) == .standard ? nil : said.place(setting)
        meaning = setting.meaning
        takes = setting.kind.requirement
        self.default = setting.standard
        variable = setting.variable
        flag = setting.flag
        problem = said.problem(setting)
    }

    /// Where the value is from, for a person.
    var sourceText: String {
        let name = place.map { "\(source) (\($0))" } ?? source
        return problem.map { "\(name), cannot be used: \($0)" } ?? name
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(key, forKey: .key)
        try container.encode(value, forKey: .value)
        try container.encode(source, forKey: .source)
        try container.encode(place, forKey: .place)
        try container.encode(meaning, forKey: .meaning)
        try container.encode(takes, forKey: .takes)
        try container.encode(self.default, forKey: .default)
        try container.encode(variable, forKey: .variable)
        try container.encode(flag, forKey: .flag)
        try container.encodeIfPresent(problem, forKey: .problem)
    }
}
