import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a process that was run to its end took.
struct ChildResult {
    var seconds: Double
    /// The processor time of all its threads.
    var processorSeconds: Double
    /// The most memory that it had resident, in bytes.
    var peakMemory: Int
    var output: String
}

/// A process that did not do what it should.
struct ChildFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs processes with as little between them and the clock as there can be.
struct Child {
    let executable: String
    var environment: [String: String] = [:]

    /// Runs to the end; standard output goes through a file, so that no pipe can hold the process up.
    ///
    /// - Throws: ``ChildFailure`` where it cannot be started or does not end with 0.
    func run(_ arguments: [String], input: String? = nil) throws -> ChildResult {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = scratch.appending(path: "output").path
        let errors = scratch.appending(path: "errors").path
        let inputFile = scratch.appending(path: "input").path
        try Data((input ?? "").utf8).write(to: URL(filePath: inputFile))

        let start = ContinuousClock.now
        let pid = try spawn(arguments, input: inputFile, output: output, errors: errors)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(pid, &status, 0, &usage) < 0 && errno == EINTR {}
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        let written = try String(contentsOfFile: output, encoding: .utf8)
        guard status == 0 else {
            let said = try String(contentsOfFile: errors, encoding: .utf8)
            throw ChildFailure(
                description: "\(executable) \(arguments.joined(separator: " ")) ended with \(status >> 8): \(said)")
        }
        #if canImport(Darwin)
            let peak = Int(usage.ru_maxrss)
        #else
            let peak = Int(usage.ru_maxrss) * 1024
        #endif
        let times = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1_000_000 }
        return ChildResult(
            seconds: seconds, processorSeconds: times[0] + times[1], peakMemory: peak, output: written)
    }

    private func spawn(_ arguments: [String], input: String, output: String, errors: String) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRENDY_") }
        variables.merge(environment) { $1 }
        let words = ([executable] + arguments).map { strdup($0) } + [nil]
        let pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + pairs).forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, executable, &actions, nil, words, pairs)
        guard code == 0 else {
            throw ChildFailure(description: "cannot start \(executable): \(String(cString: strerror(code)))")
        }
        return pid
    }
}
