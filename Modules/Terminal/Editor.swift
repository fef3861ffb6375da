package import Foundation

/// The person's own editor, on a text in a file that nobody else may read.
package struct Editor {
    private let command: String

    /// The editor that the environment asks for: `VISUAL`, else `EDITOR`, else `vi`, as POSIX programs have it.
    package init(_ environment: [String: String]) {
        let wanted = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        command = wanted ?? "vi"
    }

    /// Has the person edit a text, and waits until the editor has ended. The file stays.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be written or read, has no UTF-8, or the editor fails.
    package func edit(_ text: String, in file: URL) throws(CommandFailure) -> String {
        let path = file.path(percentEncoded: false)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes) else {
            throw .init(.inputOutput, "the file for the editor cannot be written: \(path)")
        }
        // A command may have arguments of its own, as in 'code --wait', which the shell takes apart.
        let status = system("\(command) '\(path.replacing("'", with: "'\\''"))'")
        guard status == 0 else {
            throw .init(.inputOutput, "the editor '\(command)' has failed; set EDITOR to one that is there")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .init(.inputOutput, "the editor has removed its file: \(path)")
        }
        guard let edited = String(validating: bytes, as: UTF8.self) else {
            throw .data("what the editor has written is not UTF-8: \(path)")
        }
        return edited
    }
}
