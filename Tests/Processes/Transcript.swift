public import Foundation

/// What a program did: how it ended and what it wrote.
public struct Transcript: Sendable {
    public let exit: Exit
    public let output: String
    public let errors: String
}

extension ChildProcess {
    /// Runs a program to its end; kills it where the task is cancelled.
    ///
    /// Files take what it writes, so that no pipe fills up.
    public static func run(
        _ program: String, _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment, input: Data? = nil
    ) async throws -> Transcript {
        let folder = FileManager.default.temporaryDirectory.appending(path: "trendy-process-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map { folder.appending(path: $0) }
        for (file, content) in zip(files, [input ?? Data(), Data(), Data()]) { try content.write(to: file) }
        let process = try ChildProcess(
            program, arguments, environment: environment,
            streams: .files(
                input: input == nil ? nil : FileHandle(forReadingFrom: files[0]),
                output: FileHandle(forWritingTo: files[1]), errors: FileHandle(forWritingTo: files[2])))
        let exit = await process.ended()
        let texts = try files.dropFirst().map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Transcript(exit: exit, output: texts[0], errors: texts[1])
    }
}
