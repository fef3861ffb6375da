#if canImport(AsyncHTTPClient)
    import Synchronization

    /// Knows which requests have begun to leave.
    ///
    /// AsyncHTTPClient reports with one error that a connection was closed before anything was sent, and that it broke
    /// later. So each request has a name until it is written to a connection, and the connection notes it here.
    final class Departures: Sendable {
        /// The header field with the name of a request. It never leaves.
        static let mark = "trendy-departure"

        private struct State {
            var count = 0
            /// The requests under way, with whether they have begun to leave.
            var begun: [String: Bool] = [:]
        }

        private let state = Mutex(State())

        /// A name for a request.
        func add() -> String {
            state.withLock { state in
                state.count += 1
                let name = String(state.count)
                state.begun[name] = false
                return name
            }
        }

        /// Notes that what carries out the request has been handed to a connection: its body, or its end if it has none.
        func begin(_ name: String) {
            state.withLock { if $0.begun[name] != nil { $0.begun[name] = true } }
        }

        /// Forgets a request.
        ///
        /// - Returns: Whether it has begun to leave.
        @discardableResult
        func end(_ name: String) -> Bool {
            state.withLock { $0.begun.removeValue(forKey: name) ?? true }
        }
    }
#endif
