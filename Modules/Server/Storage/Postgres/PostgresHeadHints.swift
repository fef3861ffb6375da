#if Postgres
    import Foundation
    import Synchronization
    import TrendyDomain

    /// What server processes on one database tell each other by `LISTEN` and `NOTIFY`.
    ///
    /// Each process hears its own notifications as well, so it knows whether it hears those of others: between it and the
    /// database may be a pool that passes none on, and some databases that speak PostgreSQL's protocol have none.
    /// Notifications are sent after the commit and by another connection: within a transaction that writes, they would
    /// make the commits of all accounts wait for each other.
    final class PostgresHeadHints: HeadHints {
        private typealias OnHead = @Sendable (String, ServerHead) -> Void

        private struct State {
            /// What was not sent yet, by the account.
            var unsent: [String: ServerHead] = [:]
            var isPingDue = false
            var isSending = false
            /// The number of the present connection, or of the last one.
            var connection = 0
            /// When something was heard on it last.
            var lastHeard: ContinuousClock.Instant?
            var isSupported = true
        }

        private static let channel = "trendy_head"
        private static let ping = "ping"
        /// Between two pings.
        private static let pingInterval = Duration.seconds(5)
        /// For how long after the last notification others count as heard.
        private static let trust = Duration.seconds(12)
        /// SQLSTATE of what a database does not have: a feature, a function, a statement.
        private static let unsupported = ["0A000", "42883", "42601"]

        private let database: PostgresURL
        private let state = Mutex(State())
        private let sender = DispatchQueue(label: "trendy.server.hints")
        private let sending = Mutex<PostgresConnection?>(nil)

        init(_ database: PostgresURL) { self.database = database }

        var connection: Int? {
            state.withLock { state in
                guard let lastHeard = state.lastHeard, ContinuousClock.now - lastHeard < Self.trust else { return nil }
                return state.connection
            }
        }

        func tell(_ userId: String, _ head: ServerHead) { send { $0.unsent[userId] = head } }

        func listen(_ onHead: @escaping @Sendable (_ userId: String, _ head: ServerHead) -> Void) {
            let thread = Thread { [weak self, database] in
                // It is held for moments alone, so that the thread ends with it.
                while self?.state.withLock(\.isSupported) == true {
                    do {
                        let connection = try PostgresConnection(database)
                        try connection.run("LISTEN \(Self.channel)")
                        self?.state.withLock { ($0.connection, $0.lastHeard) = ($0.connection + 1, nil) }
                        try Self.hear(connection, for: { self }, onHead)
                    } catch {
                        self?.note(error)
                    }
                    Thread.sleep(forTimeInterval: 1)
                }
            }
            thread.name = "trendy.server.hints"
            thread.start()
        }

        /// Hears notifications until the connection breaks, or nothing is heard on it.
        private static func hear(
            _ connection: PostgresConnection, for owner: () -> PostgresHeadHints?, _ onHead: OnHead
        ) throws {
            let start = ContinuousClock.now
            var pingedAt: ContinuousClock.Instant?
            while true {
                guard let hints = owner() else { return }
                if pingedAt.map({ ContinuousClock.now - $0 >= pingInterval }) ?? true {
                    pingedAt = .now
                    hints.send { $0.isPingDue = true }
                }
                if ContinuousClock.now - start > trust, hints.connection == nil { return }
                let heard = try connection.notifications(waiting: 0.5)
                if heard.isEmpty { continue }
                hints.state.withLock { $0.lastHeard = .now }
                for (userId, head) in heard.compactMap(Self.hint) { onHead(userId, head) }
            }
        }

        private func note(_ error: any Error) {
            guard let code = (error as? PostgresError)?.sqlState, Self.unsupported.contains(code) else { return }
            state.withLock { $0.isSupported = false }
        }

        /// Sends what there is to send, away from the caller. Meanwhile more may come, which is sent together.
        private func send(_ change: (inout State) -> Void) {
            let isIdle = state.withLock { state in
                change(&state)
                guard state.isSupported, !state.isSending else { return false }
                state.isSending = true
                return true
            }
            if isIdle { sender.async { [weak self] in self?.sendAll() } }
        }

        private func sendAll() {
            while true {
                let texts = state.withLock { state in
                    var texts = state.unsent.map { "\($0.key) \($0.value.head) \($0.value.epoch ?? "")" }
                    if state.isPingDue { texts.append(Self.ping) }
                    (state.unsent, state.isPingDue) = ([:], false)
                    state.isSending = !texts.isEmpty
                    return texts
                }
                if texts.isEmpty { return }
                do {
                    try sending.withLock { try notify(texts, by: &$0) }
                } catch {
                    // They are hints: others read the heads, now and then.
                    note(error)
                }
            }
        }

        private func notify(_ texts: [String], by connection: inout PostgresConnection?) throws {
            let usable = try connection ?? PostgresConnection(database)
            connection = nil
            // Nothing is lost with a hint that is not on disk.
            _ = try? usable.run("SET synchronous_commit = off")
            _ = try usable.query(
                "SELECT pg_notify('\(Self.channel)', hint) FROM unnest($1::text[]) AS hint", [.texts(texts)])
            connection = usable
        }

        private static func hint(_ text: String) -> (String, ServerHead)? {
            let parts = text.split(separator: " ")
            guard parts.count == 3, let head = Int64(parts[1]) else { return nil }
            return (String(parts[0]), ServerHead(epoch: String(parts[2]), head: head))
        }
    }
#endif
