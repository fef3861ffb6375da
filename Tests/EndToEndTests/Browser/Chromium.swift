import Foundation
import TrendyProcesses

/// A browser without a window, where this machine has one.
struct Chromium {
    /// What a page had to say.
    struct Visit {
        /// The page as it was in the end, scripts included.
        var page: String
        /// The messages on its console.
        var console: [String]
    }

    static let program: URL? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let names = ["chromium", "chromium-browser", "google-chrome"]
        let paths = folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
        let application = "/Applications/Chromium.app/Contents/MacOS/Chromium"
        return (paths + [application]).first(where: FileManager.default.isExecutableFile(atPath:))
            .map { URL(filePath: $0) }
    }()

    let folder: Folder

    /// Opens a page, waits until it is loaded, and closes it again.
    func visit(_ page: URL, options: [String] = []) async throws -> Visit {
        guard let program = Self.program else { return Visit(page: "", console: []) }
        let scratch = try folder.makeSubfolder()
        let arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--user-data-dir=\(scratch.path)", "--enable-logging=stderr", "--virtual-time-budget=10000",
            ] + options + ["--dump-dom", page.absoluteString]
        let transcript = try await ChildProcess.run(program.path, arguments)
        let lines = transcript.errors.split(separator: "\n")
        return Visit(
            page: transcript.output, console: lines.filter { $0.contains(":CONSOLE") }.map(String.init))
    }
}
