import Foundation

/// A program cannot be started.
public struct CannotStart: Error, CustomStringConvertible {
    public let description: String

    init(_ program: String, _ number: Int32) {
        description = "cannot start \(program): \(String(cString: strerror(number)))"
    }
}

/// Starts a program by posix_spawn(3).
struct Spawn {
    private let program: String
    private let arguments: [String]
    private let environment: [String: String]
    private let streams: StandardStreams

    init(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ streams: StandardStreams
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.streams = streams
    }

    /// Answers the number of the process.
    func run() throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var handed: [Int32] = []
        defer { for descriptor in handed { close(descriptor) } }
        try open(in: &actions, handing: &handed)
        var flags = Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | closing
        if case .terminal = streams { flags |= newSession }
        // What a shell has these tests ignore, because it runs them in the background, a person's shell does not; and
        // the threads that tests run on block signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var number = pid_t()
        let result = posix_spawn(&number, program, &actions, &attributes, words, variables)
        guard result == 0 else { throw CannotStart(program, result) }
        return number
    }

    #if canImport(Darwin)
        private typealias Actions = posix_spawn_file_actions_t?
        private var newSession: Int32 { Int32(POSIX_SPAWN_SETSID) }
        /// Closes everything that the file actions do not name.
        private var closing: Int32 { Int32(POSIX_SPAWN_CLOEXEC_DEFAULT) }
    #else
        private typealias Actions = posix_spawn_file_actions_t
        /// `POSIX_SPAWN_SETSID` of `<spawn.h>`, an extension that Swift does not see.
        private var newSession: Int32 { 0x80 }
        /// There is no flag for it, but an action.
        private var closing: Int32 { 0 }

        private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<Actions>, Int32) -> Int32

        /// `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34, an extension that Swift does not see. It alone
        /// also closes what another thread opens in the moment of the start.
        private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
            .map { unsafeBitCast($0, to: CloseFrom.self) }

        /// The descriptors of this process that the program would inherit.
        private func inheritable() throws -> [Int32] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
                .filter { number in
                    let flags = fcntl(number, F_GETFD)
                    return number > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
                }
        }
    #endif

    /// Has the program's three streams opened, and adds the descriptors that are to be closed once it was started.
    private func open(in actions: inout Actions, handing handed: inout [Int32]) throws {
        switch streams {
        case .none:
            for number: Int32 in 0...2 { openNothing(as: number, in: &actions) }
        case .files(let input, let output, let errors):
            for (number, file) in zip(Int32(0)..., [input, output, errors]) {
                guard let file else {
                    openNothing(as: number, in: &actions)
                    continue
                }
                // Beyond the numbers that the streams get, so that none is overwritten before its turn.
                let source = fcntl(file.fileDescriptor, F_DUPFD_CLOEXEC, 3)
                guard source >= 0 else { throw CannotStart(program, errno) }
                handed.append(source)
                posix_spawn_file_actions_adddup2(&actions, source, number)
            }
        case .terminal(let path):
            // The first terminal that the leader of a session opens is its own.
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            for number: Int32 in 1...2 { posix_spawn_file_actions_adddup2(&actions, 0, number) }
        }
        #if !canImport(Darwin)
            if let closeFrom = Self.closeFrom {
                _ = closeFrom(&actions, 3)
            } else {
                for other in try inheritable() { posix_spawn_file_actions_addclose(&actions, other) }
            }
        #endif
    }

    private func openNothing(as number: Int32, in actions: inout Actions) {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
}
