import Foundation
import TrendyNotation
import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The errors of files that a person named.
enum FileFailure {
    /// The error for a file that cannot be read.
    ///
    /// - Parameter code: The value of `errno`.
    static func reading(_ path: String, _ code: Int32) -> CommandFailure {
        if path.isEmpty { return noName }
        switch code {
        case ENOENT:
            let folder = missingFolder(of: path).map { ", because there is no folder \($0)" }
            return .data("there is no file \(path)\(folder ?? "; check the name")")
        case EISDIR: return .data("\(path) is a folder; name a file in it")
        case ENOTDIR: return .data("there is no file \(path), because \(obstacle(on: path)) is not a folder")
        case EACCES, EPERM:
            return .data(
                "you are not allowed to read \(path); change the mode of the file or its folder with 'chmod', or ask its owner"
            )
        default: return CommandFailure(.inputOutput, "cannot read \(path): \(SystemError.reason(code))")
        }
    }

    /// The error for a file that cannot be written.
    ///
    /// - Parameter code: The value of `errno`.
    static func writing(_ path: String, _ code: Int32) -> CommandFailure {
        if path.isEmpty { return noName }
        return CommandFailure(.cannotCreate, "cannot write \(path): \(writingReason(path, code))")
    }

    private static func writingReason(_ path: String, _ code: Int32) -> String {
        let folder = folder(of: path)
        switch code {
        case ENOENT:
            let missing = missingFolder(of: path) ?? folder
            return "there is no folder \(missing); create it with 'mkdir -p \(quoted(folder))', or name another one"
        case ENOTDIR: return "\(obstacle(on: path)) is not a folder; name another one"
        case EISDIR: return "it is a folder; name a file in it"
        case EACCES, EPERM:
            return "you are not allowed to write it, or to write into the folder \(folder); name another file"
        default: return SystemError.reason(code)
        }
    }

    /// Refuses a folder, and a file that is missing or not readable, before anything is done.
    ///
    /// - Throws: ``CommandFailure``.
    static func requireReadable(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw reading(path, errno) }
        defer { close(descriptor) }
        if isFolder(path) { throw reading(path, EISDIR) }
    }

    /// Refuses a file or folder that is missing or not readable.
    ///
    /// - Throws: ``CommandFailure``.
    static func requireThere(_ path: String) throws {
        guard access(path, R_OK) == 0 else { throw reading(path, errno) }
    }

    /// Refuses a folder, and a path at which no file can be created, before anything is done.
    ///
    /// - Throws: ``CommandFailure``.
    static func requireWritable(_ path: String) throws {
        if path.isEmpty { throw noName }
        if isFolder(path) { throw writing(path, EISDIR) }
        let folder = folder(of: path)
        guard access(folder, F_OK) == 0 else { throw writing(path, errno) }
        guard isFolder(folder) else { throw writing(path, ENOTDIR) }
        guard access(folder, W_OK | X_OK) == 0 else { throw writing(path, errno) }
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static var noName: CommandFailure { .usage("the name of the file is empty") }

    // MARK: Folders

    /// The folder of a path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The folders of a path, the outermost first.
    private static func folders(of path: String) -> [String] {
        var folders: [String] = []
        var rest = folder(of: path)
        while rest != ".", rest != "/" {
            folders.append(rest)
            rest = folder(of: rest)
        }
        return folders.reversed()
    }

    private static func missingFolder(of path: String) -> String? {
        folders(of: path).first { access($0, F_OK) != 0 }
    }

    /// The part of a path that is not a folder.
    private static func obstacle(on path: String) -> String {
        folders(of: path).first { access($0, F_OK) == 0 && !isFolder($0) } ?? folder(of: path)
    }
}
