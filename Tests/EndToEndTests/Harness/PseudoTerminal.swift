import Foundation
import Synchronization
import TrendyProcesses

/// The program on a terminal of its own, as a person uses it: it can be typed to, and what it shows be waited for.
final class PseudoTerminal: Sendable {
    private struct State {
        var shown = ""
        var bytes: [UInt8] = []
        var isOver = false
        var watchers: [Watcher] = []
    }

    private struct Watcher {
        let text: String
        let action: @Sendable () -> Void
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let controller: Int32
    private let process: ChildProcess
    private let state = Mutex(State())

    /// Starts the program on a terminal of that size.
    init(
        _ arguments: [String], environment: [String: String], columns: Int = 80, rows: Int = 24
    ) throws {
        let (controller, path) = try Self.open()
        self.controller = controller
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        guard ioctl(controller, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure("set the size of a terminal") }
        process = try ChildProcess(
            Program.url.path, arguments, environment: environment, streams: .terminal(path: path))
        Thread.detachNewThread { [self] in read() }
    }

    deinit { close(controller) }

    /// Everything that was shown so far.
    var shown: String { state.withLock { $0.shown } }

    /// Waits until the program has shown a text; false where it ended without.
    ///
    /// - Parameter action: What a person does who sees the text. It is done on the thread that reads the terminal, before
    ///   the wait ends: tasks that run beside this one cannot hold it up until the program has ended.
    func waits(for text: String, then action: @escaping @Sendable () -> Void = {}) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.shown.contains(text) { return true }
                if state.isOver { return false }
                state.watchers.append(Watcher(text: text, action: action, continuation: continuation))
                return nil
            }
            guard let answer else { return }
            if answer { action() }
            continuation.resume(returning: answer)
        }
    }

    /// Types a text; `\u{3}` is Ctrl-C.
    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
    }

    /// Lets the terminal show what is typed, as a shell does that gets it back.
    func echo() {
        var settings = termios()
        guard tcgetattr(controller, &settings) == 0 else { return }
        settings.c_lflag |= tcflag_t(ECHO)
        tcsetattr(controller, TCSANOW, &settings)
    }

    /// Sends a signal to the program.
    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the end: the exit code, or 128 and the number of the signal that ended it, as in a shell.
    func ended() async -> Int32 {
        let exit = await process.ended()
        // No text has this character: it is waited for until there is nothing more to read.
        _ = await waits(for: "\u{0}")
        return exit.wasSignalled ? 128 + exit.status : exit.status
    }

    // MARK: Reading

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Foundation.read(controller, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // Linux says EIO when the last program has let go of the terminal.
            take(count > 0 ? Array(buffer[..<count]) : nil)
            if count <= 0 { return }
        }
    }

    private func take(_ bytes: [UInt8]?) {
        let answers = state.withLock { state in
            state.bytes += bytes ?? []
            state.isOver = bytes == nil
            state.shown = String(decoding: state.bytes, as: UTF8.self)
            var answers: [(Watcher, Bool)] = []
            state.watchers.removeAll { watcher in
                let isThere = state.shown.contains(watcher.text)
                if isThere || state.isOver { answers.append((watcher, isThere)) }
                return isThere || state.isOver
            }
            return answers
        }
        for (watcher, answer) in answers {
            if answer { watcher.action() }
            watcher.continuation.resume(returning: answer)
        }
    }

    // MARK: Starting

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ deed: String) { description = "cannot \(deed): \(String(cString: strerror(errno)))" }
    }

    /// A new terminal: the end that a person sits at, and the path of the program's end.
    private static func open() throws -> (Int32, String) {
        #if canImport(Darwin)
            let controller = posix_openpt(O_RDWR | O_NOCTTY)
            guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0, let name = ptsname(controller)
            else { throw Failure("make a terminal") }
            let path = String(cString: name)
        #else
            let controller = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var locked: Int32 = 0
            var number: UInt32 = 0
            // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, which Swift does not see: the calls behind unlockpt(3)
            // and ptsname(3).
            guard controller >= 0, ioctl(controller, UInt(0x4004_5431), &locked) == 0,
                ioctl(controller, UInt(0x8004_5430), &number) == 0
            else { throw Failure("make a terminal") }
            let path = "/dev/pts/\(number)"
        #endif
        _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
        return (controller, path)
    }
}

extension Device {
    /// Starts a command on a terminal, with these variables besides those of the device.
    func terminal(
        _ arguments: String..., environment more: [String: String] = [:], columns: Int = 80, rows: Int = 24
    ) throws -> PseudoTerminal {
        try terminal(arguments, environment: more, columns: columns, rows: rows)
    }

    func terminal(
        _ arguments: [String], environment more: [String: String] = [:], columns: Int = 80, rows: Int = 24
    ) throws -> PseudoTerminal {
        var variables = ProcessInfo.processInfo.environment.filter { ["PATH", "LD_LIBRARY_PATH"].contains($0.key) }
        variables["TERM"] = "xterm-256color"
        variables["TZ"] = "UTC"
        variables["TRENDY_AUTOSYNC"] = "false"
        variables.merge(self.variables) { $1 }
        variables.merge(more) { $1 }
        return try PseudoTerminal(arguments, environment: variables, columns: columns, rows: rows)
    }
}
