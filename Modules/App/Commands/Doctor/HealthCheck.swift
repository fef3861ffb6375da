import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

/// A check of `trendy doctor`. ``all`` has the checks.
struct HealthCheck: Sendable {
    /// The subject, in one word.
    let name: String
    /// Runs the check. A thrown error counts as a problem. No finding means that another check reports why this one
    /// could not run.
    let look: @MainActor @Sendable (HealthContext) async throws -> [HealthFinding]

    /// All checks. A check comes after those that it depends on.
    static let all: [HealthCheck] = [
        .graph, .folders, .settings, .files, .disk, .store, .counts, .references, .names, .signIn, .proxy, .server,
        .clock, .access, .routes, .feed, .queue, .conflicts, .quarantine, .lease,
    ]

    @MainActor
    func findings(in scene: HealthContext) async -> [HealthFinding] {
        do { return try await look(scene) } catch {
            return [.problem(CommandFailure.of(error, in: scene.context))]
        }
    }
}

/// The state that the checks of a run share, so that nothing is checked twice.
@MainActor
final class HealthContext {
    enum Store {
        /// There is no store yet, and the check must not create it.
        case absent
        /// The store opens and is intact.
        case sound
        /// The store cannot be used.
        case unusable
    }

    let context: CommandContext
    /// Whether problems are repaired.
    let isRepair: Bool
    var store = Store.unusable
    /// The server of the sign-in, after its first answer.
    var server: ServerAddress?
    /// The server's answer about the received changes, after the first request.
    var standing: ServerStanding?

    init(context: CommandContext, isRepair: Bool) {
        self.context = context
        self.isRepair = isRepair
    }
}

extension HealthCheck {
    /// Whether the folders and files can be read and written.
    static let folders = HealthCheck(name: "folders") { scene in
        let folders = scene.context.root.configuration.folders
        let paths = folders.data == folders.config ? [folders.data] : [folders.data, folders.config]
        return paths.map { FolderHealth.finding(about: $0, FileFacts.of) }
    }

    /// Whether every setting is valid; no finding if all are.
    static let settings = HealthCheck(name: "settings") { scene in
        let environment = scene.context.process.environment
        return try TrendyConfiguration.usable(flags: [:], environment: environment).problems.map {
            HealthFinding.problem($0)
        }
    }

    /// Whether other users of the machine can read the files.
    static let files = HealthCheck(name: "files") { scene in
        let folders = scene.context.root.configuration.folders
        let found = [folders.store, folders.store + "-wal", folders.store + "-shm", folders.credentials].compactMap {
            path in
            FileFacts.of(path).map { (path, $0) }
        }
        let faults = found.compactMap { StoredFileHealth.finding(about: $0, $1) }
        if !faults.isEmpty { return faults }
        return [.ok(found.isEmpty ? "nothing is stored yet" : "no other user can read the files")]
    }
}

/// The state of a file of Trendy.
enum StoredFileHealth {
    /// - Returns: Nil if there is no problem.
    static func finding(about path: String, _ facts: FileFacts) -> HealthFinding? {
        if facts.isFolder {
            return .problem(
                "\(path) is a folder, not a file", remedy: "move it away: mv '\(path)' '\(path).old'", .cannotCreate)
        }
        let (mode, remedy) = (String(facts.mode, radix: 8), "chmod 600 '\(path)'")
        // The superuser can do everything; for others the mode matters.
        if !facts.isUsable || facts.mode & 0o600 != 0o600 {
            return .problem("\(path) cannot be read and written (mode \(mode))", remedy: remedy, .cannotCreate)
        }
        if facts.mode & 0o077 != 0 {
            return .warning("other users of this machine have access to \(path) (mode \(mode))", remedy: remedy)
        }
        return nil
    }
}

/// The attributes of a file or folder.
struct FileFacts: Sendable {
    var isFolder: Bool
    /// The permission bits.
    var mode: Int
    /// Whether this process may read and write it, and enter it if it is a folder.
    var isUsable: Bool

    /// Nil if there is no such file or folder.
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

/// The state of a folder of Trendy.
enum FolderHealth {
    /// - Parameter look: Returns the attributes of a path, nil if nothing is there.
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
                "other users of this machine can put files into \(folder) (mode \(String(facts.mode, radix: 8)))",
                remedy: "chmod go-w '\(folder)'")
        }
        return .ok("\(folder) can be read and written")
    }

    /// A missing folder is created when it is needed; the check is whether that will work.
    private static func absent(_ folder: String, _ look: (String) -> FileFacts?) -> HealthFinding {
        var parent = URL(filePath: folder).deletingLastPathComponent()
        while look(parent.path) == nil, parent.pathComponents.count > 1 { parent.deleteLastPathComponent() }
        if let facts = look(parent.path), facts.isFolder, facts.isUsable {
            return .ok("\(folder) will be created when it is needed")
        }
        return .problem(
            "\(folder) does not exist, and cannot be created in \(parent.path)",
            remedy: "create it, or set TRENDY_HOME to a folder of your own", .cannotCreate)
    }
}

extension HealthCheck {
    /// Whether the dependency graph is complete.
    static let graph = HealthCheck(name: "graph") { scene in
        let container = scene.context.root.container
        let problems = container.validate()
        if problems.isEmpty {
            return [.ok("all \(container.registeredTypes.count) parts of the program are registered")]
        }
        return problems.map {
            .problem($0.description, remedy: "this is a bug in Trendy: please report it", .software)
        }
    }
}
