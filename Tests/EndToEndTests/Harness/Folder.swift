import Foundation

/// A temporary folder that goes with its last user.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "trendy-e2e-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
        try? FileManager.default.removeItem(at: url)
    }

    /// A new folder inside.
    func makeSubfolder() throws -> URL {
        let sub = url.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
        return sub
    }

    /// Writes a file inside and answers its path.
    func write(_ data: Data, to name: String) throws -> String {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file.path
    }

    func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }
}
