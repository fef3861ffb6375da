import Configuration
import TrendyDomain
import TrendyTerminal

/// Where a setting has its value from, the strongest first.
enum SettingSource: String, Sendable, CaseIterable {
    /// The command line.
    case flag
    /// An environment variable.
    case environment
    /// The configuration file.
    case file
    /// Nothing was said.
    case standard = "default"
}

/// What was said about the settings, and where.
struct SettingSources: Sendable {
    private let layers: [(source: SettingSource, values: [String: String])]
    private let path: String

    /// - Parameters:
    ///   - flags: What the command line says, by the keys.
    ///   - environment: The variables of the process; empty ones count as not set.
    ///   - file: What the configuration file says, by the keys.
    ///   - path: Where that file is.
    init(flags: [String: String], environment: [String: String], file: [String: String], path: String) {
        var variables: [String: String] = [:]
        for setting in Setting.all {
            if let text = environment[setting.variable], !text.isEmpty { variables[setting.key] = text }
        }
        layers = [(.flag, flags), (.environment, variables), (.file, file)]
        self.path = path
    }

    /// What weighs the layers.
    private var reader: ConfigReader {
        ConfigReader(
            providers: layers.map { InMemoryProvider(name: $0.source.rawValue, values: Self.values($0.values)) })
    }

    private static func values(_ texts: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, text) in texts {
            let isSecret = Setting.all.contains { $0.key == key && $0.isSecret }
            values[AbsoluteConfigKey([key])] = ConfigValue(.string(text), isSecret: isSecret)
        }
        return values
    }

    /// Reads what flags, environment and file say.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be read.
    static func load(
        _ folders: Folders, flags: [String: String], environment: [String: String]
    ) throws -> SettingSources {
        let file = ConfigurationFile(path: folders.configuration)
        return SettingSources(
            flags: flags, environment: environment, file: try file.read()?.texts ?? [:], path: file.path)
    }

    /// The text that was given for a setting; nil where nothing was said.
    func text(_ setting: Setting) -> String? {
        // Mostly nobody has said anything, which takes no weighing.
        if source(setting) == .standard { return nil }
        return reader.string(forKey: ConfigKey([setting.key]), isSecret: setting.isSecret)
    }

    /// Where the value of a setting is from.
    func source(_ setting: Setting) -> SettingSource {
        layers.first { $0.values[setting.key] != nil }?.source ?? .standard
    }

    /// What is wrong with the value of a setting; nil where it can be used.
    func problem(_ setting: Setting) -> String? {
        guard let text = text(setting) else { return nil }
        do {
            _ = try setting.kind.value(text)
            return nil
        } catch {
            return error.message
        }
    }

    /// The value of a setting: what was given for it, else the standard; nil where there is none.
    ///
    /// - Throws: ``CommandFailure`` where it makes no sense, with where it is said and what helps.
    func value(_ setting: Setting) throws(CommandFailure) -> JSONValue? {
        guard let text = text(setting) ?? setting.standard else { return nil }
        do { return try setting.kind.value(text) } catch {
            throw .usage(
                "the setting \(setting.key) '\(setting.shown(text))' (from \(place(setting))) cannot be used: "
                    + "\(error.message); \(remedy(setting))")
        }
    }

    /// Where the value of a setting is from, for a person.
    func place(_ setting: Setting) -> String {
        switch source(setting) {
        case .flag: setting.flag ?? "the command line"
        case .environment: setting.variable
        case .file: path
        case .standard: "nowhere"
        }
    }

    private func remedy(_ setting: Setting) -> String {
        switch source(setting) {
        case .file: "change it with 'trendy config set \(setting.key) …', or 'trendy config unset \(setting.key)'"
        default: "give another value, or none"
        }
    }
}
