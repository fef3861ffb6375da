import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The last backups of the store of this device: what leads back where the store is damaged.
///
/// They are in a file beside the store, because a damaged store tells nothing. The file is a help alone: where it cannot
/// be read or written, nothing else fails.
struct KnownBackups {
    private struct Entry: Codable {
        var path: String
        var madeAt: Timestamp

        private enum CodingKeys: String, CodingKey {
            case path
            case madeAt = "made_at"
        }
    }

    private let folders: Folders

    init(_ folders: Folders) { self.folders = folders }

    /// How many backups are remembered.
    private static let limit = 5

    /// Notes a backup.
    ///
    /// - Parameter path: An absolute path.
    func note(_ path: String, madeAt now: Timestamp) {
        let others = entries().filter { $0.path != path }
        guard let json = try? WireCoding.encode(Array(([Entry(path: path, madeAt: now)] + others).prefix(Self.limit)))
        else { return }
        try? json.write(to: URL(fileURLWithPath: folders.backups), options: .atomic)
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folders.backups)
    }

    /// What to do about a damaged store: the newest backup that is still there, else how to go on without one.
    func wayBack(in zone: LocalZone) -> String {
        let there = present
        guard let newest = there.first else {
            return "restore a backup with 'trendy restore FILE' (none is known here), or take what the server has: "
                + "\(moveAway), then 'trendy sync' (what was never sent is only in what you have moved)"
        }
        let others = there.dropFirst().map(\.path)
        let more = others.isEmpty ? "" : " (older ones: \(others.joined(separator: ", ")))"
        return "go back to the backup of \(zone.minuteText(newest.madeAt)) with "
            + "'trendy restore \(quoted(newest.path))'\(more), and sync to fetch what came after it; to begin anew instead, "
            + "move the store away: \(moveAway)"
    }

    /// The command that moves the store away, with the log beside it, which a new store would take for its own.
    private var moveAway: String {
        let parts = ["", "-wal"].filter { FileManager.default.fileExists(atPath: folders.store + $0) }
        let moves = parts.map { "mv \(quoted(folders.store + $0)) \(quoted(folders.store + ".damaged" + $0))" }
        return "'\(moves.joined(separator: " && "))'"
    }

    /// Whether one of them is still there.
    var isAnyThere: Bool { !present.isEmpty }

    /// Those that are still there, the newest first. What does not begin as a database is no backup any more.
    private var present: [Entry] {
        entries().filter { entry in
            guard let file = FileHandle(forReadingAtPath: entry.path) else { return false }
            defer { try? file.close() }
            return (try? file.read(upToCount: Self.heading.count)) == Self.heading
        }
    }

    /// How a file of SQLite begins (https://www.sqlite.org/fileformat2.html, section 1.3).
    private static let heading = Data("SQLite format 3\0".utf8)

    /// The newest first.
    private func entries() -> [Entry] {
        guard let json = FileManager.default.contents(atPath: folders.backups) else { return [] }
        return (try? WireCoding.decode([Entry].self, from: json)) ?? []
    }
}

extension LocalStoreFactory {
    /// The store of this device.
    ///
    /// A backup shows that it has held records.
    convenience init(in folders: Folders) {
        self.init(path: folders.store) { KnownBackups(folders).isAnyThere }
    }
}
