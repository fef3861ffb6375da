import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells those who listen of signals, which else end the program.
///
/// Dispatch's own sources do not do: they begin to listen a while after they were asked to, and on Linux lose what
/// comes before that; and of several there, one after the other for the same signal, only the first hears anything.
package enum SignalRelay {
    /// What is told, until it is ended.
    package struct Listening: Sendable {
        fileprivate let id: Int

        /// Stops listening; a signal to which nobody else listens ends the program again.
        package func end() { SignalRelay.end(id) }

        /// Lets a signal end the program although somebody listens to it; nothing where this has ended.
        package func release(_ number: Int32) { SignalRelay.release(number, by: id) }
    }

    private struct Listener {
        let numbers: [Int32]
        let heard: @Sendable (Int32, Listening) -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var latestID = 0
    }

    private static let state = Mutex(State())

    /// Begins to listen: a signal that comes when this has returned is told, on a queue of the system.
    ///
    /// - Returns: Nil where the process can open no more files; signals end the program then as ever.
    package static func listen(
        to numbers: [Int32], _ heard: @escaping @Sendable (Int32, Listening) -> Void
    ) -> Listening? {
        guard isReady else { return nil }
        return state.withLock { state in
            state.latestID += 1
            state.listeners[state.latestID] = Listener(numbers: numbers, heard: heard)
            for number in numbers { install(for: number) }
            return Listening(id: state.latestID)
        }
    }

    private static func end(_ id: Int) {
        state.withLock { state in
            guard let ended = state.listeners.removeValue(forKey: id) else { return }
            let heard = Set(state.listeners.values.flatMap(\.numbers))
            for number in ended.numbers where !heard.contains(number) { _ = signal(number, SIG_DFL) }
        }
    }

    private static func release(_ number: Int32, by id: Int) {
        state.withLock { state in
            if state.listeners[id] != nil { _ = signal(number, SIG_DFL) }
        }
    }

    // MARK: From the handler to the listeners

    private static let writer = Atomic<Int32>(-1)
    private static let isReady = openPipe()

    private static func openPipe() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writer.store(ends[1], ordering: .relaxed)
        let reader = ends[0]
        DispatchQueue(label: "trendy.signals").async { relay(from: reader) }
        return true
    }

    /// A handler may do next to nothing (signal-safety(7)): it writes down which signal came.
    private static func install(for number: Int32) {
        _ = signal(number) { number in
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalRelay.writer.load(ordering: .relaxed), &byte, 1)
            errno = error
        }
    }

    private static func relay(from reader: Int32) {
        var byte: UInt8 = 0
        while true {
            let count = read(reader, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return }
            let number = Int32(byte)
            let told = state.withLock { state in state.listeners.filter { $1.numbers.contains(number) } }
            for (id, listener) in told { listener.heard(number, Listening(id: id)) }
        }
    }
}
