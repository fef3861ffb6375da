import Foundation
import GRDB

/// A temporary folder with devices, a server without rate limits, and the programs under measurement.
final class Workplace {
    let folder: URL
    let trendy: String
    let baseline: String
    private var server: Process?
    private(set) var address = ""

    init() throws {
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        trendy = beside.appending(path: "trendy").path
        baseline = beside.appending(path: "trendy-baseline").path
        folder = FileManager.default.temporaryDirectory.appending(path: "trendy-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func cleanUp() {
        server?.terminate()
        server?.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Server

    /// Starts the server, unless it runs.
    ///
    /// - Parameter database: PostgreSQL's URL; nil for a folder.
    func startServer(database: String? = nil) throws {
        if server != nil { return }
        let process = Process()
        process.executableURL = URL(filePath: trendy)
        let store = database.map { ["--database", $0] } ?? ["--data", folder.appending(path: "server").path]
        process.arguments = ["serve", "--port", "0", "--no-rate-limit"] + store
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        server = process
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix("listening on ") else { throw ChildFailure(description: "the server did not start") }
        address = String(text.dropFirst("listening on ".count))
    }

    /// The bytes that the server has resident.
    func serverMemory() throws -> Int {
        let id = String(server?.processIdentifier ?? 0)
        let answer = try Child(executable: "/bin/ps").run(["-o", "rss=", "-p", id]).output
        guard let kilobytes = Int(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ChildFailure(description: "ps does not say how much memory the server has: \(answer)")
        }
        return kilobytes * 1024
    }

    // MARK: Devices

    func home(of device: String) -> String {
        folder.appending(path: device).path
    }

    /// Runs `trendy` on a device without syncs in the background, which would take part in what is measured.
    func device(_ name: String) -> Child {
        Child(executable: trendy, environment: ["TRENDY_HOME": home(of: name), "TRENDY_AUTOSYNC": "false"])
    }

    /// Runs `trendy` on a device as it is where nobody has changed a setting.
    func everyday(_ name: String) -> Child {
        Child(executable: trendy, environment: ["TRENDY_HOME": home(of: name)])
    }

    func signUp(_ device: String, account: String) throws {
        _ = try self.device(device).run(signIn("signup", account), input: Self.password)
    }

    func logIn(_ device: String, account: String) throws {
        _ = try self.device(device).run(signIn("login", account), input: Self.password)
    }

    private func signIn(_ command: String, _ account: String) -> [String] {
        [command, "--server", address, "--email", "\(account)@example.org", "--password-stdin"]
    }

    private static let password = "a password for measuring\n"

    // MARK: Data

    /// A CSV of so many rows, one each so many minutes until now, with a note and a number.
    ///
    /// It is written in pieces: a system that starts a process counts the memory of the one that starts it as the
    /// new one's (Linux sets `ru_maxrss` so in `exec_mmap`).
    func makeRows(_ count: Int, minutesApart: Int) throws -> String {
        let file = folder.appending(path: "rows-\(count).csv")
        try Data("when,note,amount\n".utf8).write(to: file)
        let writer = try FileHandle(forWritingTo: file)
        defer { try? writer.close() }
        try writer.seekToEnd()
        let step = Double(minutesApart) * 60
        let first = Date(timeIntervalSinceNow: -step * Double(count)).timeIntervalSince1970.rounded()
        var text = ""
        for row in 0..<count {
            let date = Date(timeIntervalSince1970: first + Double(row) * step)
            text += "\(date.ISO8601Format()),\"note number \(row), quoted\",\(row % 500)\n"
            guard text.utf8.count > 65_536 || row == count - 1 else { continue }
            try writer.write(contentsOf: Data(text.utf8))
            text = ""
        }
        return file.path
    }

    /// A new device with that many events that were imported and not sent. Answers what the import took.
    @discardableResult
    func fill(_ device: String, events count: Int, minutesApart: Int = 1) throws -> ChildResult {
        try prepare(device)
        return try importRows(device, events: count, minutesApart: minutesApart)
    }

    /// A device with the type and the property that the rows need.
    func prepare(_ device: String) throws {
        let child = self.device(device)
        _ = try child.run(["type", "add", "row"])
        _ = try child.run(["prop", "add", "row", "amount", "--kind", "number"])
    }

    /// Imports so many rows. Answers what that took.
    func importRows(_ device: String, events count: Int, minutesApart: Int = 1) throws -> ChildResult {
        try self.device(device).run([
            "import", "csv", try makeRows(count, minutesApart: minutesApart), "--time", "when", "--type", "=row",
            "--note", "note",
            "--prop", "amount=amount",
        ])
    }

    /// The bytes of the files in a device's or the server's folder.
    ///
    /// - Parameter prefix: How the names of the files begin.
    func size(of name: String, files prefix: String = "") throws -> Int {
        let folder = folder.appending(path: name)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
            .filter { $0.lastPathComponent.hasPrefix(prefix) }
            .reduce(0) { $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }

    /// A new device with that many events, of which the newest wait to be sent.
    func multiply(_ device: String, events count: Int, minutesApart: Int) throws {
        let waiting = 20_000
        try fill(device, events: waiting, minutesApart: minutesApart)
        let file = home(of: device) + "/trendy.sqlite"
        try Multiplication(file: file, span: waiting * minutesApart * 60_000).run(copies: count / waiting - 1)
    }

    /// Takes the log away that the baseline has left, which would take it longer to read each time.
    func tidy(_ file: String) throws {
        try DatabaseQueue(path: file).writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// A copy of a store, with a table for the baseline's row.
    func makeBaseline(_ file: String, copyOf store: String) throws {
        // What the log still has comes into the file first.
        let source = try DatabaseQueue(path: store)
        try source.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try FileManager.default.copyItem(atPath: store, toPath: file)
        let copy = try DatabaseQueue(path: file)
        try copy.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "CREATE TABLE baseline (id TEXT PRIMARY KEY NOT NULL, document TEXT NOT NULL)")
        }
    }
}
