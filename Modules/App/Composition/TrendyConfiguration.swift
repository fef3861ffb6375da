import TrendyDomain

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
    /// Whether a sync starts by itself after a change, from `TRENDY_AUTOSYNC` or the file.
    public var autosync: Bool

    /// Makes a configuration; of what is left out nothing was said.
    public init(
        folders: Folders, server: String? = nil, token: String? = nil, timeout: Double? = nil, autosync: Bool = true
    ) {
        self.folders = folders
        self.server = server
        self.token = token
        self.timeout = timeout
        self.autosync = autosync
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
        let said = try SettingSources.load(folders, flags: flags, environment: environment)
        return TrendyConfiguration(
            // Who uses the address says better what is wrong with it.
            folders: folders, server: said.text(.server), token: said.text(.token),
            timeout: said.text(.timeout) == nil ? nil : try said.value(.timeout)?.doubleValue,
            autosync: try said.value(.autosync) == .boolean(true))
    }
}
