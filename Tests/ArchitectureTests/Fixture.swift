import Foundation

/// A package in a temporary folder that breaks rules on purpose.
struct Fixture {
    let root: URL

    /// Runs the body with a package of these files, by path, and removes it afterwards.
    static func with<Result>(files: [String: String], _ body: (Fixture) throws -> Result) throws -> Result {
        let root = FileManager.default.temporaryDirectory.appending(path: "planted-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try body(Fixture(root: root))
    }
}

/// The root of this package.
let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
