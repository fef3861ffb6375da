import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Starts this program as a new process, for work that continues after the command.
public struct ProgramLauncher: Sendable {
    /// Starts the program with arguments, and passes an open file as the descriptor ``handedDescriptor``. Returns whether
    /// the process was started, without waiting for it.
    typealias Start = @Sendable (_ arguments: [String], _ descriptor: Int32) -> Bool

    /// The descriptor of the passed file in the new process.
    static let handedDescriptor: Int32 = 3

    let start: Start

    init(start: @escaping Start) {
        self.start = start
    }

    /// Starts the program file of this process.
    ///
    /// The new process has its own session, so that it outlives the terminal and gets no Ctrl-C. It has no standard
    /// streams and no other open files of this process.
    public static let system = ProgramLauncher { arguments, descriptor in
        guard let program = ProgramFile.running else { return false }
        // The passed file must not have one of the descriptors that the new process gets.
        let source = fcntl(descriptor, F_DUPFD_CLOEXEC, handedDescriptor + 1)
        guard source >= 0 else { return false }
        defer { close(source) }
        return spawn(program, ["trendy"] + arguments, handing: source)
    }

    /// Starts a program that inherits only one open file, as the descriptor ``handedDescriptor``.
    static func spawn(_ program: String, _ words: [String], handing source: Int32) -> Bool {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        guard posix_spawn_file_actions_init(&actions) == 0 else { return false }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { posix_spawnattr_destroy(&attributes) }
        for number: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0) }
        posix_spawn_file_actions_adddup2(&actions, source, handedDescriptor)
        #if !canImport(Darwin)
            guard let inheritable else { return false }
            for other in inheritable { posix_spawn_file_actions_addclose(&actions, other) }
        #endif
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = newSession | closing | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        guard posix_spawnattr_setflags(&attributes, Int16(flags)) == 0 else { return false }
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables(
            ProcessInfo.processInfo.environment, in: FileManager.default.currentDirectoryPath)
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid = pid_t()
        return posix_spawn(&pid, program, &actions, &attributes, arguments, variables) == 0
    }

    /// The environment with absolute paths, as the new process has another working folder.
    ///
    /// - Parameter folder: The working folder of this process.
    static func variables(_ environment: [String: String], in folder: String) -> [String: String] {
        var variables = environment
        for name in PathVariables.names + ["HOME"] {
            variables[name] = variables[name].map { PathVariables.absolute($0, of: name, in: folder) }
        }
        return variables
    }

    #if canImport(Darwin)
        private static let newSession = Int32(POSIX_SPAWN_SETSID)
        /// Closes all descriptors that the file actions do not name.
        private static let closing = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
        /// `POSIX_SPAWN_SETSID` of `<spawn.h>` since glibc 2.26 and musl 1.1.17; an extension that Swift does not import.
        private static let newSession: Int32 = 0x80
        /// There is no such flag; the descriptors ``inheritable`` are closed one by one.
        private static let closing: Int32 = 0

        /// The descriptors that a new process would inherit, such as those that the shell left open. Nil if the system does
        /// not list them.
        private static var inheritable: [Int32]? {
            try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
                let flags = fcntl($0, F_GETFD)
                return $0 > handedDescriptor && flags >= 0 && flags & FD_CLOEXEC == 0
            }
        }
    #endif
}

/// The path of the program file of this process.
enum ProgramFile {
    /// A path by which the running program can be started again; nil if the system does not provide it.
    static var running: String? {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            var buffer = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            // This link also works after the file was replaced by a newer version.
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

    /// The absolute path by which a program was started, without following symbolic links, because their targets can change
    /// with a new version.
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
            // In POSIX, an empty entry of PATH is the working folder.
            let base = place.isEmpty ? folder : place.hasPrefix("/") ? String(place) : "\(folder)/\(place)"
            if isProgram("\(base)/\(word)") { return normalized("\(base)/\(word)") }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// The absolute path without `.`, `..` and empty parts.
    ///
    /// A path with a symbolic link before `..` is kept, because it would then name another file.
    static func normalized(_ path: String) -> String {
        if path.split(separator: "/").contains("..") { return path }
        return "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
