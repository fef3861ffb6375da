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
/// A second signal ends the program at once, as it would without this.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Begins to listen.
    ///
    /// - Parameter stop: Called once for each kind of signal, on a queue of the system.
    init(_ stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                _ = signal(number, SIG_DFL)
                stop()
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
