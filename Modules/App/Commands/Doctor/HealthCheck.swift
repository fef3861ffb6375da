import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

/// One question of `trendy doctor`. Another check is another value in ``all``.
struct HealthCheck: Sendable {
    /// What it looks at, in one word.
    let name: String
    /// Looks, and mends nothing. What it throws counts as a problem of its own; no finding where there is nothing to
    /// look at, for a reason that another check tells.
    let look: @MainActor @Sendable (HealthScene) async throws -> [HealthFinding]

    /// All checks, in their order: what others stand on comes first.
    static let all: [HealthCheck] = [
        .graph, .folders, .settings, .files, .disk, .store, .counts, .references, .signIn, .server, .clock, .access,
        .feed, .queue, .conflicts, .quarantine, .lease,
    ]

    @MainActor
    func findings(in scene: HealthScene) async -> [HealthFinding] {
        do { return try await look(scene) } catch { return [.problem(error)] }
    }
}

/// What the checks of one run share: what one has found out, the next ones need not ask again.
@MainActor
final class HealthScene {
    enum Store {
        /// There is none yet, and to look must not make one.
        case absent
        /// It opens and is whole.
        case sound
        /// It cannot be used.
        case unusable
    }

    let context: CommandContext
    /// Whether what is wrong is to be mended.
    let isRepair: Bool
    var store = Store.unusable
    /// The server of the sign-in, once it has answered.
    var server: ServerAddress?
    /// What it has said of that which this device has received, once it was asked.
    var standing: ServerStanding?

    init(context: CommandContext, isRepair: Bool) {
        self.context = context
        self.isRepair = isRepair
    }
}

extension HealthCheck {
    /// Whether what Trendy keeps can be read and written.
    static let folders = HealthCheck(name: "folders") { scene in
        let folders = scene.context.root.configuration.folders
        let paths = folders.data == folders.config ? [folders.data] : [folders.data, folders.config]
        return paths.map { FolderHealth.finding(about: $0, FileFacts.of) }
    }

    /// Whether every setting can be used; no finding where all can.
    static let settings = HealthCheck(name: "settings") { scene in
        let environment = scene.context.process.environment
        return try TrendyConfiguration.usable(flags: [:], environment: environment).problems.map {
            HealthFinding.problem($0)
        }
    }

    /// Whether others on this machine can read what is the person's own.
    static let files = HealthCheck(name: "files") { scene in
        let folders = scene.context.root.configuration.folders
        let found = [folders.store, folders.store + "-wal", folders.store + "-shm", folders.credentials].compactMap {
            path in
            FileFacts.of(path).map { (path, $0) }
        }
        let faults = found.compactMap { StoredFileHealth.finding(about: $0, $1) }
        if !faults.isEmpty { return faults }
        return [.ok(found.isEmpty ? "nothing is stored yet" : "nobody else can read what is stored")]
    }
}

/// What there is to say about a file that Trendy keeps.
enum StoredFileHealth {
    /// - Returns: Nil where all is well.
    static func finding(about path: String, _ facts: FileFacts) -> HealthFinding? {
        if facts.isFolder {
            return .problem(
                "\(path) is a folder, not a file", remedy: "move it away: mv '\(path)' '\(path).old'", .cannotCreate)
        }
        let (mode, remedy) = (String(facts.mode, radix: 8), "chmod 600 '\(path)'")
        // The superuser may do all things; whoever else owns the file may not.
        if !facts.isUsable || facts.mode & 0o600 != 0o600 {
            return .problem("\(path) cannot be read and written (mode \(mode))", remedy: remedy, .cannotCreate)
        }
        if facts.mode & 0o077 != 0 {
            return .warning("others on this machine have access to \(path) (mode \(mode))", remedy: remedy)
        }
        return nil
    }
}

/// What is known of a file or folder without opening it.
struct FileFacts: Sendable {
    var isFolder: Bool
    /// The permission bits.
    var mode: Int
    /// True where this process may read, write and, a folder, enter it.
    var isUsable: Bool

    /// Nil where there is nothing.
    static func of(_ path: String) -> FileFacts? {
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        let mode = (try? manager.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber
        let isUsable =
            manager.isReadableFile(atPath: path) && manager.isWritableFile(atPath: path)
            && (!isFolder.boolValue || manager.isExecutableFile(atPath: path))
        return FileFacts(isFolder: isFolder.boolValue, mode: mode?.intValue ?? 0, isUsable: isUsable)
    }
}

/// What there is to say about a folder that Trendy keeps files in.
enum FolderHealth {
    /// - Parameter look: What is known of a path, nil where there is nothing.
    static func finding(about folder: String, _ look: (String) -> FileFacts?) -> HealthFinding {
        guard let facts = look(folder) else { return absent(folder, look) }
        guard facts.isFolder else {
            return .problem(
                "\(folder) is a file, not a folder",
                remedy: "move it away, or set TRENDY_HOME to a folder of your own", .cannotCreate)
        }
        guard facts.isUsable else {
            return .problem("\(folder) cannot be read and written", remedy: "chmod u+rwx '\(folder)'", .cannotCreate)
        }
        if facts.mode & 0o022 != 0 {
            return .warning(
                "others on this machine can put files into \(folder) (mode \(String(facts.mode, radix: 8)))",
                remedy: "chmod go-w '\(folder)'")
        }
        return .ok("\(folder) can be read and written")
    }

    /// The folder is made when it is first needed: what counts is whether that will work.
    private static func absent(_ folder: String, _ look: (String) -> FileFacts?) -> HealthFinding {
        var parent = URL(filePath: folder).deletingLastPathComponent()
        while look(parent.path) == nil, parent.pathComponents.count > 1 { parent.deleteLastPathComponent() }
        if let facts = look(parent.path), facts.isFolder, facts.isUsable {
            return .ok("\(folder) will be made when it is needed")
        }
        return .problem(
            "\(folder) does not exist, and cannot be made in \(parent.path)",
            remedy: "make it, or set TRENDY_HOME to a folder of your own", .cannotCreate)
    }
}

extension HealthCheck {
    /// Whether every part of the program can be made.
    static let graph = HealthCheck(name: "graph") { scene in
        let container = scene.context.root.container
        let problems = container.validate()
        if problems.isEmpty {
            return [.ok("all \(container.registeredTypes.count) parts of the program can be made")]
        }
        return problems.map {
            .problem($0.description, remedy: "this is a mistake in Trendy: please report it", .software)
        }
    }
}
