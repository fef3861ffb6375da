import Foundation
import Synchronization

/// A PostgreSQL of the tests' own, in a temporary folder, which ends with this process even where that is killed.
public final class PostgresCluster: Sendable {
    /// Why tests that need one are skipped.
    public static let absence = "PostgreSQL's initdb and pg_ctl are not installed"
    /// The folder of PostgreSQL's programs, where there are any.
    public static let programs = folders.first { folder in
        ["initdb", "pg_ctl", "postgres"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
        }
    }

    /// The one that tests share, each in a schema of its own.
    public static let shared = Result { try PostgresCluster() }

    /// Where the data and the socket are.
    public let folder: String
    /// Closed at the end of this process, of which the shell that watches over PostgreSQL learns so.
    private let leash: FileHandle
    private let schemas = Mutex(0)

    public init() throws {
        let (input, output) = (Pipe(), Pipe())
        leash = input.fileHandleForWriting
        let command = Self.asNobody(["/bin/sh", "-c", Self.script, "sh", try Self.folderOfPrograms()])
        _ = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
            streams: .files(input: input.fileHandleForReading, output: output.fileHandleForWriting))
        try output.fileHandleForWriting.close()
        let line = try output.fileHandleForReading.readToEnd() ?? Data()
        folder = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard !folder.isEmpty else { throw NotStarted() }
    }

    deinit { try? leash.close() }

    /// Crashes PostgreSQL where it runs, and starts it again.
    public func restart() async throws { try await control("restart") }

    /// Crashes PostgreSQL.
    public func stop() async throws { try await control("stop") }

    private func control(_ action: String) async throws {
        let command = Self.asNobody([
            "\(try Self.folderOfPrograms())/pg_ctl", "-D", "\(folder)/data", "-l", "\(folder)/log", "-w",
            "-m", "immediate", action,
        ])
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        guard await process.ended() == .code(0) else { throw NotStarted() }
    }

    /// Carries out a statement as the operator.
    public func run(_ statement: String) async throws {
        // Some systems keep the client's program apart from the server's.
        let client = Self.folders.map { "\($0)/psql" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let client else { throw NotStarted() }
        let process = try ChildProcess(
            client,
            ["-X", "-q", "-o", "/dev/null", "-h", folder, "-U", "trendy", "-d", "postgres", "-c", statement],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        guard await process.ended() == .code(0) else { throw NotStarted() }
    }

    /// A name that no schema has yet.
    public func nextSchema() -> String {
        "s\(schemas.withLock { schemas in schemas += 1; return schemas })"
    }

    /// The address of a schema.
    public func url(schema: String = "public") -> String {
        "postgresql://trendy@/postgres?host=\(folder)&options=-csearch_path%3D\(schema)"
    }

    public struct NotStarted: Error {}

    private static var folders: [String] {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"]
            + versions.sorted { $0.count == $1.count ? $0 > $1 : $0.count > $1.count }
            .map { "/usr/lib/postgresql/\($0)/bin" }
    }

    private static func folderOfPrograms() throws -> String {
        guard let programs else { throw NotStarted() }
        return programs
    }

    /// PostgreSQL refuses to run as root.
    private static func asNobody(_ command: [String]) -> [String] {
        if getuid() != 0 { return command }
        let users: [String] = ["postgres", "nobody"]
        let user = users.first { getpwnam($0) != nil } ?? "nobody"
        let group = getpwnam(user).map { "\($0.pointee.pw_gid)" } ?? "nogroup"
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups"] + command
    }

    /// Tells the folder when PostgreSQL is ready, and ends it when standard input ends.
    private static let script = """
        programs=$1; cd /tmp; folder=$(mktemp -d /tmp/trendy-postgres.XXXXXX) || exit 1
        "$programs/initdb" -D "$folder/data" -U trendy -A trust -N -E UTF8 --no-locale >"$folder/log" 2>&1 || exit 1
        "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w start -o "-c listen_addresses= -k $folder \\
            -c fsync=off -c max_connections=200 -c shared_buffers=64MB" </dev/null >/dev/null 2>&1 || exit 1
        echo "$folder"; exec >/dev/null; read -r line
        "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1; rm -rf "$folder"
        """
}
