import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the program file of this process lies.
enum ProgramFile {
    /// A path by which the running program can be started again; nil where the system does not tell.
    static var running: String? {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            var buffer = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            // A link to the file itself, which also works where the file was replaced by a newer one meanwhile.
            return access("/proc/self/exe", X_OK) == 0 ? "/proc/self/exe" : nil
        #endif
    }

    /// The absolute path by which this process was started.
    static var invoked: String? {
        guard let word = CommandLine.arguments.first else { return nil }
        let environment = ProcessInfo.processInfo.environment
        let folder = FileManager.default.currentDirectoryPath
        return invoked(as: word, in: folder, path: environment["PATH"] ?? "") ?? Bundle.main.executablePath
    }

    /// The absolute path by which a program was started: a name that stays when the program is replaced by a newer
    /// version, as the file behind symbolic links may not.
    ///
    /// - Parameters:
    ///   - word: The first word of the command line.
    ///   - folder: The working folder.
    ///   - path: The variable `PATH`.
    static func invoked(as word: String, in folder: String, path: String) -> String? {
        if word.contains("/") {
            let joined = word.hasPrefix("/") ? word : "\(folder)/\(word)"
            return isProgram(joined) ? normalized(joined) : nil
        }
        for place in path.split(separator: ":", omittingEmptySubsequences: false) {
            // POSIX: an empty entry is the working folder.
            let base = place.isEmpty ? folder : place.hasPrefix("/") ? String(place) : "\(folder)/\(place)"
            if isProgram("\(base)/\(word)") { return normalized("\(base)/\(word)") }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// The absolute path without `.`, `..` and empty parts.
    ///
    /// Where a part before `..` is a symbolic link that would name another file, so such a path is kept.
    static func normalized(_ path: String) -> String {
        if path.split(separator: "/").contains("..") { return path }
        return "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
