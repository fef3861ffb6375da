import Foundation
import TrendyProcesses

/// What a program did: how it ended and what it wrote.
struct Outcome: CustomStringConvertible {
    let arguments: [String]
    let exit: Exit
    let output: String
    let errors: String

    init(_ arguments: [String], _ transcript: Transcript) {
        self.arguments = arguments
        (exit, output, errors) = (transcript.exit, transcript.output, transcript.errors)
    }

    var status: Int32 { exit.status }
    var wasSignalled: Bool { exit.wasSignalled }

    /// The lines on standard error that say something.
    var errorLines: [String] {
        errors.split(whereSeparator: \.isNewline).map(String.init)
    }

    var description: String {
        "trendy \(arguments.joined(separator: " ")): \(exit)\n"
            + "stdout: \(output.prefix(2000))\nstderr: \(errors.prefix(2000))"
    }

    /// What it wrote, read as JSON.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(output.utf8))
        } catch {
            throw Unexpected("is not the JSON that was asked for (\(error))", self)
        }
    }
}

/// An outcome that a test cannot go on with.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ outcome: Outcome) {
        description = "\(what)\n\(outcome)"
    }
}

/// The program under test: the `trendy` that was built beside these tests.
enum Program {
    static let url: URL = {
        if let path = ProcessInfo.processInfo.environment["TRENDY_BINARY"] { return URL(filePath: path) }
        let beside =
            [Bundle.main.executableURL, URL(filePath: CommandLine.arguments[0])].compactMap { $0 }
            + Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        let candidates = beside.map { $0.deletingLastPathComponent().appending(path: "trendy") }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
    }()

    /// Starts the program.
    ///
    /// - Parameter openFiles: How many files it may have open; nil for as many as this process.
    static func start(
        _ arguments: [String], environment: [String: String], output: FileHandle? = nil, errors: FileHandle? = nil,
        openFiles: Int? = nil
    ) throws -> ChildProcess {
        let limited = openFiles.map { ["-c", "ulimit -n \($0) && exec \"$0\" \"$@\"", url.path] }
        return try ChildProcess(
            limited == nil ? url.path : "/bin/sh", (limited ?? []) + arguments, environment: inherited(environment),
            streams: .files(output: output, errors: errors))
    }

    /// Runs the program to its end. A test whose time is up kills it.
    static func run(
        _ arguments: [String], environment: [String: String], input: Data? = nil
    ) async throws -> Outcome {
        Outcome(
            arguments,
            try await ChildProcess.run(url.path, arguments, environment: inherited(environment), input: input))
    }

    /// The variables that the program sees: none of this process's own settings, and these.
    private static func inherited(_ more: [String: String]) -> [String: String] {
        var inherited = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("TRENDY_") && !$0.key.hasPrefix("XDG_")
        }
        inherited["TZ"] = "UTC"
        // What a test sees is what it asked for; those of the background sync ask for it.
        inherited["TRENDY_AUTOSYNC"] = "false"
        return inherited.merging(more) { $1 }
    }
}
