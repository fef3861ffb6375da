import TrendyTerminal

/// Where Trendy keeps its files.
///
/// Everything is in `$TRENDY_HOME` where that is set, else in the folders of the XDG Base Directory
/// Specification, on macOS too: a command line tool is looked for there.
public struct Folders: Sendable, Hashable {
    /// The store.
    public var data: String
    /// The configuration file and the sign-in.
    public var config: String

    /// Names the two folders by their paths.
    public init(data: String, config: String) {
        self.data = data
        self.config = config
    }

    /// The folders that the environment names.
    ///
    /// - Throws: ``CommandFailure`` where neither `TRENDY_HOME` nor `HOME` is set.
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
    /// The file by which commands agree on who starts a background sync.
    var autosyncLock: String { data + "/autosync.lock" }
    /// The configuration file.
    public var configuration: String { config + "/config.json" }
    /// The sign-in.
    public var credentials: String { config + "/credentials.json" }
    /// The data of a server that was started without `--data`.
    public var server: String { data + "/server" }

    private static func folder(_ name: String, _ fallback: String, _ environment: [String: String]) throws -> String {
        // The specification asks that relative paths are ignored.
        if let folder = environment[name], folder.hasPrefix("/") { return folder + "/trendy" }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure.usage("it is not known where to keep the data: set TRENDY_HOME to a folder")
        }
        return "\(home)/\(fallback)/trendy"
    }
}
