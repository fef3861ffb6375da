import Foundation
import TrendyTerminal

/// The files that Trendy keeps for itself, told by where they are and not by how they are written.
@MainActor
struct OwnFiles {
    private struct Part {
        let path: String
        /// What it is called in a message.
        let name: String
    }

    private let parts: [Part]

    /// The files in these folders, of which some may not be there now.
    init(_ folders: Folders) {
        var parts = Self.database(folders.store, named: "the store")
        parts += Self.database(folders.server + "/server.sqlite", named: "the database of the server here")
        parts.append(Part(path: folders.server + "/server.sqlite.lock", name: "the lock of the server here"))
        parts.append(Part(path: folders.configuration, name: "the configuration file"))
        parts.append(Part(path: folders.credentials, name: "the file of the sign-in"))
        parts.append(Part(path: "\(folders.credentials).lock", name: "the lock of the sign-in"))
        parts.append(Part(path: folders.autosyncLock, name: "the lock of the background sync"))
        self.parts = parts
    }

    /// A database, and the files that SQLite keeps beside it.
    private static func database(_ path: String, named name: String) -> [Part] {
        [
            Part(path: path, name: "\(name) itself"), Part(path: "\(path)-wal", name: "the log of \(name)"),
            Part(path: "\(path)-shm", name: "the index of the log of \(name)"),
            Part(path: "\(path)-journal", name: "the journal of \(name)"),
        ]
    }

    /// Refuses one of these files where a person names a file of their own.
    ///
    /// - Parameter advice: What to do.
    func refuse(_ path: String, _ advice: String) throws {
        // What leads nowhere is refused by whoever opens it, in words of its own.
        guard !path.isEmpty, let wanted = try? FilePlace(path) else { return }
        for part in parts {
            guard let own = try? FilePlace(part.path), wanted.isSame(as: own) else { continue }
            throw CommandFailure.usage("\(path) is \(part.name); \(advice)")
        }
    }
}

/// Where a file is, or would be made.
@MainActor
private struct FilePlace {
    private let file: FileIdentity?
    private let folder: FileIdentity?
    private let name: String

    init(_ path: String) throws {
        // A link may lead to a file that is yet to be made.
        let path = try ExportPlace.resolved(path)
        file = FileIdentity(path)
        folder = FileIdentity(FileFailure.folder(of: path))
        name = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Whether both are one file, or would be.
    func isSame(as other: FilePlace) -> Bool {
        if let file { return file == other.file }
        return folder != nil && folder == other.folder && name == other.name
    }
}

/// Tells a file from another one that has taken its name.
struct FileIdentity: Equatable {
    private let number: Int
    private let fileSystem: Int

    /// The file or folder that the name leads to, links followed; nil where there is none.
    init?(_ path: String) {
        let end = URL(filePath: path).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: end),
            let number = found[.systemFileNumber] as? Int, let fileSystem = found[.systemNumber] as? Int
        else { return nil }
        (self.number, self.fileSystem) = (number, fileSystem)
    }
}
