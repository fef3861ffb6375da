package import Foundation

/// The person's editor, for a text in a private file.
package struct Editor {
    private let command: String

    /// The editor: `VISUAL`, `EDITOR`, or `vi`, as in POSIX programs.
    package init(_ environment: [String: String]) {
        let wanted = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
        command = wanted ?? "vi"
    }

    /// Opens a text in the editor, and waits for its end. The file stays.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written or read, is not UTF-8, or the editor fails.
    package func edit(_ text: String, in file: URL) throws(CommandFailure) -> String {
        let path = file.path(percentEncoded: false)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes) else {
            throw .init(.inputOutput, "the file for the editor cannot be written: \(path)")
        }
        // The command may have arguments, as in 'code --wait', so a shell runs it.
        let status = system("\(command) '\(path.replacing("'", with: "'\\''"))'")
        guard status == 0 else {
            throw .init(.inputOutput, "the editor '\(command)' failed; set EDITOR to another one")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .init(.inputOutput, "the editor deleted its file \(path); run the same command again")
        }
        guard let edited = String(validating: bytes, as: UTF8.self) else {
            throw .data("the file of the editor is not UTF-8: \(path); set the editor to UTF-8")
        }
        return edited
    }
}
