import TrendyDomain

/// How far a device has received what its server has, as its store tells.
public struct SyncPosition: Sendable, Hashable {
    /// All of the server's changes up to this one were received.
    public var head: Int64
    /// Whether everything was received once; false until the first sync has come to its end.
    public var hasReceivedAll: Bool

    /// Makes it of its parts.
    public init(head: Int64 = 0, hasReceivedAll: Bool = false) {
        self.head = head
        self.hasReceivedAll = hasReceivedAll
    }
}

/// What a server says about the place up to which a device has received its changes.
public enum ServerStanding: Sendable, Hashable {
    /// Everything that the server has was received.
    case received
    /// The server has more; its newest change is this one.
    case hasMore(head: Int64)
    /// The server's history is another: its data was restored from a backup, or reset. The next sync takes everything
    /// anew, and parks what the server has lost.
    case replaced
    /// The server has pruned deletions that this device has not heard of. The next sync takes everything anew.
    case pruned
}

extension SyncEngine {
    /// How far this device has received what its server has.
    ///
    /// - Throws: ``StoreError``.
    public nonisolated func position() throws -> SyncPosition {
        let place = try stores.makeDataStore().exchangePlace()
        return SyncPosition(head: place.head, hasReceivedAll: place.resync != .first)
    }

    /// Asks the server whether there is anything to receive. It sends and stores nothing, and waits for a sync that
    /// is running.
    ///
    /// - Throws: As ``underBreaker(of:provesHealth:_:)``.
    public func askForNews() async throws -> ServerStanding {
        while isSyncing {
            if case .cancelled = await callers.wait() { throw APIError.cancelled }
        }
        isSyncing = true
        defer {
            isSyncing = false
            callers.resume(.takeOver)
        }
        let (gateway, place) = (makeGateway(), try stores.makeDataStore().exchangePlace())
        let request = SyncRequest(epoch: place.cursor == nil ? nil : place.epoch, cursor: place.cursor, limit: 1)
        do {
            let answer = try await underBreaker(provesHealth: false) {
                let answer = try await gateway.receive(request)
                if answer.isOfServer { return answer }
                // The next exchange throws why none has come.
                return try await gateway.receive(SyncRequest(epoch: answer.epoch, cursor: answer.cursor, limit: 1))
            }
            return answer.more || !answer.changes.isEmpty ? .hasMore(head: answer.head) : .received
        } catch APIError.http(let status, let problem) {
            switch problem.resync {
            case .epoch: return .replaced
            case .expired: return .pruned
            case .first, .asked, nil: throw APIError.http(status: status, problem: problem)
            }
        }
    }
}
