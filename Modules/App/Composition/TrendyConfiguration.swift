import TrendyDomain
package import TrendyNotation
import TrendyTerminal

/// The settings of one run: from flags, then the environment, then the configuration file, then defaults.
public struct TrendyConfiguration: Sendable, Hashable {
    /// The folders of data and configuration.
    public var folders: Folders
    /// The server's address from `--server`, `TRENDY_SERVER` or the file; nil for that of the sign-in.
    public var server: String?
    /// The access token from `TRENDY_TOKEN` or the file; nil for that of the sign-in.
    public var token: String?
    /// Seconds after which a silent server counts as unreachable, from `TRENDY_TIMEOUT` or the file; nil for the default.
    public var timeout: Double?
    /// Whether changes start a sync automatically, from `TRENDY_AUTOSYNC` or the file.
    public var autosync: Bool
    /// What a person writes before fractions, from `TRENDY_DECIMAL`, the file or the locale.
    package var decimal = DecimalSign.point
    /// With which day a person's weeks begin, from `TRENDY_WEEK_START`, the file or the locale.
    package var weekStart = WeekStart.on(.monday)
    /// The way to servers: proxies from the environment, authorities from there, `TRENDY_CA_FILE` and the file.
    public var network = NetworkSettings()

    /// Creates a configuration; omitted settings are not set.
    public init(
        folders: Folders, server: String? = nil, token: String? = nil, timeout: Double? = nil, autosync: Bool = true
    ) {
        self.folders = folders
        self.server = server
        self.token = token
        self.timeout = timeout
        self.autosync = autosync
    }

    /// Loads the settings.
    ///
    /// - Parameters:
    ///   - flags: The settings of the command line, by their keys (`server`).
    ///   - environment: The variables of the process.
    /// - Throws: ``CommandFailure`` if the path of the file is unknown, the file cannot be read, or a setting is wrong.
    public static func load(flags: [String: String], environment: [String: String]) async throws -> TrendyConfiguration
    {
        let (configuration, problems, _, _) = try read(flags, environment)
        if let first = problems.first { throw first }
        return configuration
    }

    /// Loads the valid settings, and returns the errors of the others, which count as not set. For local commands.
    ///
    /// A wrong server is ignored, unless the command line names it. If any setting is wrong, automatic sync is off.
    /// - Throws: ``CommandFailure`` if the path of the file is unknown.
    static func usable(
        flags: [String: String], environment: [String: String]
    ) throws -> (configuration: TrendyConfiguration, problems: [CommandFailure]) {
        var (configuration, problems, said, hasFile) = try read(flags, environment)
        // A token belongs to one server, which an unreadable file may name.
        if !hasFile && configuration.server == nil { configuration.token = nil }
        if flags["server"] == nil {
            do { _ = try said.value(.server) } catch {
                problems.append(CommandFailure(error))
                (configuration.server, configuration.token) = (nil, nil)
            }
        }
        if !problems.isEmpty { configuration.autosync = false }
        return (configuration, problems)
    }

    private typealias Reading = (
        configuration: TrendyConfiguration, problems: [CommandFailure], said: SettingSources, hasFile: Bool
    )

    /// A wrong server address is kept: its user reports a better error.
    private static func read(_ flags: [String: String], _ environment: [String: String]) throws -> Reading {
        let folders = try Folders(environment: environment)
        var problems: [CommandFailure] = []
        let said = sources(folders, flags, environment, &problems)
        let hasFile = problems.isEmpty
        func value(_ setting: Setting) -> JSONValue? {
            do { return try said.value(setting) } catch {
                problems.append(CommandFailure(error))
                return nil
            }
        }
        let timeout = said.text(.timeout) == nil ? nil : value(.timeout)?.doubleValue
        let autosync = value(.autosync) == .boolean(true)
        var configuration = TrendyConfiguration(
            folders: folders, server: said.text(.server), token: said.text(.token), timeout: timeout,
            autosync: autosync)
        configuration.decimal =
            switch value(.decimal) {
            case "point": .point
            case "comma": .comma
            default: .ofLocale(EnvironmentLocale(.numeric, environment))
            }
        let weekday = value(.weekStart)?.stringValue.flatMap { name in
            Weekday.allCases.first { $0.description.lowercased() == name }
        }
        configuration.weekStart = weekday.map(WeekStart.on) ?? .ofLocale(EnvironmentLocale(.time, environment))
        configuration.network = NetworkSettings(environment: environment)
        if said.text(.caFile) != nil, let file = value(.caFile)?.stringValue {
            configuration.network.authorityFile = file
            configuration.network.authoritySource = said.place(.caFile)
        }
        return (configuration, problems, said, hasFile)
    }

    /// The sources of the settings; an unreadable file counts as empty.
    private static func sources(
        _ folders: Folders, _ flags: [String: String], _ environment: [String: String],
        _ problems: inout [CommandFailure]
    ) -> SettingSources {
        do { return try SettingSources.load(folders, flags: flags, environment: environment) } catch {
            problems.append(CommandFailure(error))
            return SettingSources(flags: flags, environment: environment, file: [:], path: folders.configuration)
        }
    }
}

/// The folders of Trendy's files.
///
/// If `TRENDY_HOME` is set, all files are in that folder. Otherwise they are in the folders of the XDG Base Directory
/// Specification, as is usual for command-line tools, also on macOS.
public struct Folders: Sendable, Hashable {
    /// The store.
    public var data: String
    /// The configuration file and the sign-in.
    public var config: String

    /// Creates folders from two paths.
    public init(data: String, config: String) {
        self.data = data
        self.config = config
    }

    /// The folders that the environment names.
    ///
    /// - Throws: ``CommandFailure`` if neither `TRENDY_HOME` nor `HOME` is set.
    public init(environment: [String: String]) throws {
        if let home = environment["TRENDY_HOME"], !home.isEmpty {
            self.init(data: home, config: home)
            return
        }
        self.init(
            data: try Self.folder("XDG_DATA_HOME", ".local/share", environment),
            config: try Self.folder("XDG_CONFIG_HOME", ".config", environment))
    }

    /// The file of the store.
    public var store: String { data + "/trendy.sqlite" }
    /// The lock file of the background sync.
    var autosyncLock: String { data + "/autosync.lock" }
    /// The list of the last backups.
    var backups: String { data + "/backups.json" }
    /// The configuration file.
    public var configuration: String { config + "/config.json" }
    /// The sign-in.
    public var credentials: String { config + "/credentials.json" }
    /// The data of a server that was started without `--data`.
    public var server: String { data + "/server" }

    private static func folder(_ name: String, _ fallback: String, _ environment: [String: String]) throws -> String {
        // The XDG specification says that relative paths are ignored.
        if let folder = environment[name], folder.hasPrefix("/") { return folder + "/trendy" }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure.usage("the folder for the data is unknown; set TRENDY_HOME to a folder")
        }
        return "\(home)/\(fallback)/trendy"
    }
}
