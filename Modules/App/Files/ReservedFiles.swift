import Foundation
import TrendyData
import TrendyTerminal

/// The files of Trendy itself, compared by location and not by spelling.
@MainActor
struct ReservedFiles {
    private struct Part {
        let path: String
        /// The name in messages.
        let name: String
    }

    private let parts: [Part]

    /// The files in these folders; some may not exist.
    init(_ folders: Folders) {
        var parts = Self.database(folders.store, named: "the store")
        parts += Self.database(folders.server + "/server.sqlite", named: "the database of the server here")
        parts.append(Part(path: folders.server + "/server.sqlite.lock", name: "the lock of the server here"))
        parts.append(Part(path: folders.configuration, name: "the configuration file"))
        parts.append(Part(path: folders.credentials, name: "the file of the sign-in"))
        parts.append(Part(path: "\(folders.credentials).lock", name: "the lock of the sign-in"))
        parts.append(Part(path: folders.backups, name: "the list of the backups"))
        parts.append(Part(path: folders.autosyncLock, name: "the lock of the background sync"))
        self.parts = parts
    }

    /// A database, and SQLite's additional files.
    private static func database(_ path: String, named name: String) -> [Part] {
        [
            Part(path: path, name: "\(name) itself"), Part(path: "\(path)-wal", name: "the log of \(name)"),
            Part(path: "\(path)-shm", name: "the index of the log of \(name)"),
            Part(path: "\(path)-journal", name: "the journal of \(name)"),
        ]
    }

    /// Refuses one of these files as the file of a command.
    func refuse(_ path: String, _ advice: String) throws {
        // A broken path is refused later, when the file is opened.
        guard !path.isEmpty, let wanted = try? FilePlace(path) else { return }
        for part in parts {
            guard let own = try? FilePlace(part.path), wanted.isSame(as: own) else { continue }
            throw CommandFailure.usage("\(path) is \(part.name); \(advice)")
        }
    }
}

/// The location of a file that exists or would be created.
@MainActor
private struct FilePlace {
    private let file: FileIdentity?
    private let folder: FileIdentity?
    private let name: String

    init(_ path: String) throws {
        // A link may lead to a file that does not exist yet.
        let path = try ExportPlace.resolved(path)
        file = FileIdentity(path)
        folder = FileIdentity(FileFailure.folder(of: path))
        name = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Whether both locations are the same file.
    func isSame(as other: FilePlace) -> Bool {
        if let file { return file == other.file }
        return folder != nil && folder == other.folder && name == other.name
    }
}
