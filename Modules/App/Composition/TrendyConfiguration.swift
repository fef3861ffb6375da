import Configuration
import Foundation

/// The settings of one run: from flags, then the environment, then the configuration file, then defaults.
public struct TrendyConfiguration: Sendable, Hashable {
    /// Where data and configuration lie.
    public var folders: Folders
    /// The server's address from `--server`, `TRENDY_SERVER` or the file; nil to take that of the sign-in.
    public var server: String?
    /// The access token from `TRENDY_TOKEN` or the file, in place of that of the sign-in.
    public var token: String?
    /// Seconds after which a silent server counts as not reachable, from `TRENDY_TIMEOUT` or the file; nil for
    /// the standard.
    public var timeout: Double?

    /// Makes a configuration; of what is left out nothing was said.
    public init(folders: Folders, server: String? = nil, token: String? = nil, timeout: Double? = nil) {
        self.folders = folders
        self.server = server
        self.token = token
        self.timeout = timeout
    }

    /// Gathers the settings.
    ///
    /// - Parameters:
    ///   - flags: What the command line says, by the names of the keys (`server`).
    ///   - environment: The variables of the process.
    /// - Throws: ``CommandFailure`` where the file cannot be read, it is not known where it is, or a setting
    ///   makes no sense.
    public static func load(flags: [String: String], environment: [String: String]) async throws -> TrendyConfiguration
    {
        let folders = try Folders(environment: environment)
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Self.values(flags)),
            InMemoryProvider(name: "environment", values: Self.values(variables(environment))),
        ]
        if let file = try await file(folders.configuration) { providers.append(file) }
        let reader = ConfigReader(providers: providers)
        return TrendyConfiguration(
            folders: folders, server: reader.string(forKey: "server"),
            token: reader.string(forKey: "token", isSecret: true),
            timeout: try timeout(environment) ?? checked(timeout: reader.double(forKey: "timeout")))
    }

    /// What `TRENDY_TIMEOUT` says, nil where it is not set or empty.
    private static func timeout(_ environment: [String: String]) throws -> Double? {
        guard let text = environment["TRENDY_TIMEOUT"], !text.isEmpty else { return nil }
        guard let seconds = Double(text) else { throw wrongTimeout(text) }
        return try checked(timeout: seconds)
    }

    private static func checked(timeout seconds: Double?) throws -> Double? {
        guard let seconds else { return nil }
        guard (0.1...3600).contains(seconds) else { throw wrongTimeout("\(seconds)") }
        return seconds
    }

    private static func wrongTimeout(_ text: String) -> CommandFailure {
        .usage("the timeout '\(text)' cannot be used; set TRENDY_TIMEOUT to a number of seconds from 0.1 to 3600")
    }

    /// The variables that are settings, by the names of the keys; empty ones count as not set.
    private static func variables(_ environment: [String: String]) -> [String: String] {
        ["server": "TRENDY_SERVER", "token": "TRENDY_TOKEN"].compactMapValues { name in
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    private static func values(_ settings: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in settings {
            values[AbsoluteConfigKey([key])] = ConfigValue(.string(value), isSecret: key == "token")
        }
        return values
    }

    /// The configuration file, nil where there is none.
    private static func file(_ path: String) async throws -> (any ConfigProvider)? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let place = ConfigReader(provider: InMemoryProvider(values: Self.values(["filePath": path])))
            return try await FileProvider<JSONSnapshot>(config: place)
        } catch {
            throw CommandFailure.data(
                "the configuration file \(path) cannot be read; it must be a JSON object like {\"server\": \"https://…\"}"
            )
        }
    }
}
