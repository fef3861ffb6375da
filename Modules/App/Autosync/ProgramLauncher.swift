import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Starts this program once more, for work that goes on when the present command has ended.
public struct ProgramLauncher: Sendable {
    /// Starts the program with these arguments; the new process gets the open file as its descriptor
    /// ``handedDescriptor``. Answers whether it could be started, and waits for nothing else.
    typealias Start = @Sendable (_ arguments: [String], _ descriptor: Int32) -> Bool

    /// Which descriptor of the new process is the file that it was given.
    static let handedDescriptor: Int32 = 3

    let start: Start

    init(start: @escaping Start) {
        self.start = start
    }

    /// Starts the program file of this process.
    ///
    /// The new process has a session of its own, so that it outlives the terminal and hears no Ctrl-C that is typed
    /// there; it reads and writes nothing, and keeps no other file of this process open.
    public static let system = ProgramLauncher { arguments, descriptor in
        guard let program = ProgramFile.running else { return false }
        // The numbers below are what the new process gets; the file must not be among them before.
        let source = fcntl(descriptor, F_DUPFD_CLOEXEC, handedDescriptor + 1)
        guard source >= 0 else { return false }
        defer { close(source) }
        return spawn(program, ["trendy"] + arguments, handing: source)
    }

    /// Starts a program with that file as its descriptor ``handedDescriptor``, and with no other file of this process.
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

    /// Variables whose folders mean the same wherever the new process works.
    ///
    /// - Parameter folder: The working folder of this one.
    static func variables(_ environment: [String: String], in folder: String) -> [String: String] {
        var variables = environment
        for name in ["TRENDY_HOME", "HOME"] {
            guard let path = variables[name], !path.isEmpty, !path.hasPrefix("/") else { continue }
            variables[name] = "\(folder)/\(path)"
        }
        return variables
    }

    #if canImport(Darwin)
        private static let newSession = Int32(POSIX_SPAWN_SETSID)
        /// Closes everything that the file actions do not name.
        private static let closing = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
        /// `POSIX_SPAWN_SETSID` of `<spawn.h>` in glibc 2.26 and musl 1.1.17, and newer; it is an extension, which the
        /// headers do not show to Swift.
        private static let newSession: Int32 = 0x80
        /// There is no flag for it; ``inheritable`` are closed one by one.
        private static let closing: Int32 = 0

        /// The descriptors that a new process would inherit: what the shell has left open for this one, and for nobody
        /// after it to hold open. Nil where the system does not list them, and a guess would leave some out.
        private static var inheritable: [Int32]? {
            try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
                let flags = fcntl($0, F_GETFD)
                return $0 > handedDescriptor && flags >= 0 && flags & FD_CLOEXEC == 0
            }
        }
    #endif
}
