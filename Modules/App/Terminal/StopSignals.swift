import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Listens for SIGINT and SIGTERM, so that a command that stays can end in order.
///
/// A signal that comes a second or more after the first ends the program at once, as it would without this. One that
/// comes sooner is the first one over again: GNU `timeout` sends it to its child and then to the child's whole group.
struct StopSignals {
    private static let pause = DispatchTimeInterval.seconds(1)

    private let listening: SignalRelay.Listening?

    /// Begins to listen.
    ///
    /// - Parameter stop: Called for each signal, on a queue of the system.
    init(_ stop: @escaping @Sendable () -> Void) {
        listening = SignalRelay.listen(to: [SIGINT, SIGTERM]) { number, listening in
            stop()
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { listening.release(number) }
        }
    }

    /// Stops listening; signals end the program again.
    func end() { listening?.end() }
}
