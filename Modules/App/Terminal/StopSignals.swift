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

    private let sources: [any DispatchSourceSignal]

    /// Begins to listen.
    ///
    /// - Parameter stop: Called for each signal, on a queue of the system.
    init(_ stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                stop()
                DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { _ = signal(number, SIG_DFL) }
            }
            source.resume()
            return source
        }
    }

    /// Stops listening; signals end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) }
    }
}
