import Foundation

/// What a program did: how it ended and what it wrote.
struct Outcome: CustomStringConvertible {
    let arguments: [String]
    let exit: Exit
    let output: String
    let errors: String

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

    /// Starts the program. Nothing of this process's own settings reaches it.
    static func start(
        _ arguments: [String], environment: [String: String], input: URL? = nil, output: Any, errors: Any
    ) throws -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        var inherited = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("TRENDY_") && !$0.key.hasPrefix("XDG_")
        }
        inherited["TZ"] = "UTC"
        // What a test sees is what it asked for; those of the background sync ask for it.
        inherited["TRENDY_AUTOSYNC"] = "false"
        inherited.merge(environment) { $1 }
        process.environment = inherited
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }

    /// Runs the program to its end. A test whose time is up kills it.
    static func run(
        _ arguments: [String], environment: [String: String], input: Data? = nil, in folder: Folder
    ) async throws -> Outcome {
        let scratch = try folder.makeSubfolder()
        let output = scratch.appending(path: "stdout")
        let errors = scratch.appending(path: "stderr")
        try Data().write(to: output)
        try Data().write(to: errors)
        var inputFile: URL?
        if let input {
            let file = scratch.appending(path: "stdin")
            try input.write(to: file)
            inputFile = file
        }
        let process = try start(
            arguments, environment: environment, input: inputFile,
            output: FileHandle(forWritingTo: output), errors: FileHandle(forWritingTo: errors))
        return Outcome(
            arguments: arguments, exit: await process.ended(),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
