import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Passes signals to listeners, instead of ending the program.
///
/// Dispatch's signal sources are not sufficient on Linux: they start with a delay and lose earlier signals, and of
/// several consecutive sources for a signal only the first one works.
package enum SignalRelay {
    /// A subscription to a signal.
    package struct Listening: Sendable {
        fileprivate let id: Int

        /// Ends the subscription. A signal without subscriptions ends the program.
        package func end() { SignalRelay.end(id) }

        /// Restores the default action of the signal; does nothing after ``end()``.
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

    /// Subscribes to a signal. After the call no signal is lost; the handler runs on a system queue.
    ///
    /// - Returns: Nil if the process cannot open more files; the signal then ends the program.
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

    /// The handler only writes the number of the signal to a pipe, because it may do little else (signal-safety(7)).
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
