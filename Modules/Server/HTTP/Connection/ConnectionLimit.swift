import Logging
import NIOCore
import Synchronization

/// Decides which connections are served, and which are told that there are too many: in all, or from their address.
///
/// A process that has no file descriptor left cannot go on: SQLite cannot open its files, and Dispatch ends the process
/// when it cannot look at its threads.
final class ConnectionLimit: Sendable {
    /// What becomes of a connection.
    enum Verdict: Sendable, Hashable {
        case served
        /// It is answered 503: there are too many in all.
        case refused
        /// It is answered 429: there are too many from its address.
        case refusedAddress
        /// It is closed at once: so many from its address are being refused that answers would keep others out.
        case dropped
    }

    private struct State {
        var served = 0
        /// How many were refused since the start.
        var refused = 0
        /// Those of each address that are served, and those that are being refused.
        var byAddress: [String: (served: Int, refused: Int)] = [:]
        /// Whether the log has it that connections are refused.
        var isTold = false
    }

    /// The most connections that are served at a time.
    let maximum: Int
    /// The most of them that one address may have.
    let perAddress: Int
    private let trustedProxies: [AddressBlock]
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximum: The most connections that are to be served at a time; nil for as many as open files allow. There
    ///     are never more than those.
    ///   - perAddress: The most from one address (IPv6: /64); nil for what ``usualShare(of:)`` says.
    ///   - trustedProxies: Those whose connections are many people's, and only count in all.
    init(
        _ maximum: Int?, perAddress: Int? = nil, trustedProxies: [AddressBlock] = [],
        openFiles: Int = OpenFileLimit.current, logger: Logger
    ) {
        let possible = Self.possible(openFiles: openFiles, cores: System.coreCount)
        let maximum = max(1, min(maximum ?? possible, possible))
        self.maximum = maximum
        self.perAddress = max(1, perAddress ?? Self.usualShare(of: maximum))
        self.trustedProxies = trustedProxies
        self.logger = logger
    }

    /// How many connections above the maximum are accepted, each to be answered 503. Further ones wait to be accepted.
    var refused: Int { Self.refused(of: maximum) }

    /// How many are served now, and how many were refused.
    var counts: ServerMetrics.Connections {
        state.withLock { ServerMetrics.Connections(open: $0.served, refused: $0.refused) }
    }

    /// Takes a connection in, until it is closed.
    func admit(_ channel: any Channel) -> Verdict {
        let address = counted(channel.remoteAddress?.ipAddress)
        let (verdict, isNews) = state.withLock { state in
            let verdict = self.verdict(address, state)
            if verdict == .served { state.served += 1 }
            if let address, verdict != .dropped {
                var own = state.byAddress[address] ?? (0, 0)
                if verdict == .served { own.served += 1 } else { own.refused += 1 }
                state.byAddress[address] = own
            }
            if verdict == .served { return (verdict, false) }
            state.refused += 1
            defer { state.isTold = true }
            return (verdict, !state.isTold)
        }
        if isNews {
            logger.warning(
                "connections are refused: there are too many",
                metadata: ["most": "\(maximum)", "most_of_address": "\(perAddress)"])
        }
        if verdict != .dropped { channel.closeFuture.whenComplete { [self] _ in close(address, verdict) } }
        return verdict
    }

    private func verdict(_ address: String?, _ state: State) -> Verdict {
        let own = address.flatMap { state.byAddress[$0] } ?? (0, 0)
        if own.served >= perAddress { return own.refused < Self.mostRefusedOfAddress ? .refusedAddress : .dropped }
        return state.served < maximum ? .served : .refused
    }

    /// The name under which connections of an address are counted; nil where they only count in all.
    private func counted(_ address: String?) -> String? {
        guard let address = address.flatMap({ IPAddress($0) }) else { return nil }
        return trustedProxies.contains { $0.contains(address) } ? nil : address.limitKey
    }

    private func close(_ address: String?, _ verdict: Verdict) {
        state.withLock { state in
            if let address, var own = state.byAddress[address] {
                if verdict == .served { own.served -= 1 } else { own.refused -= 1 }
                state.byAddress[address] = own == (0, 0) ? nil : own
            }
            guard verdict == .served else { return }
            state.served -= 1
            // It is worth another line only once there was room again.
            if state.served < maximum / 2 { state.isTold = false }
        }
    }

    /// The connections that open files allow.
    ///
    /// The rest is for SQLite's files, the streams, what the system's libraries open for a moment, and what each
    /// event loop waits with.
    static func possible(openFiles: Int, cores: Int) -> Int {
        let spare = max(2, openFiles - 64 - 4 * cores)
        return max(spare - mostRefused, spare * 3 / 4)
    }

    private static let mostRefused = 32
    private static let mostRefusedOfAddress = 4

    /// What one address may have of so many connections, where nothing else is said: a quarter, or 256 where that is more,
    /// as an office or a test has; and at least one less than all.
    static func usualShare(of maximum: Int) -> Int { max(1, min(maximum - 1, max(256, maximum / 4))) }

    static func refused(of maximum: Int) -> Int { min(mostRefused, max(1, maximum / 3)) }
}
