public import TrendyDomain

/// A device of a test that speaks the exchange by hand, and remembers its place.
public final class ExchangePeer {
    /// The epoch that it knows.
    public var epoch: String?
    /// The cursor of its last answer.
    public var cursor: String?
    private let name: String
    private let exchange: @Sendable (SyncRequest) async throws -> SyncResponse
    private var keys = 0

    /// Makes a device that has synced nothing yet.
    ///
    /// - Parameters:
    ///   - name: What its keys begin with, unlike those of others.
    ///   - exchange: How it reaches the server.
    public init(named name: String, exchange: @escaping @Sendable (SyncRequest) async throws -> SyncResponse) {
        self.name = name
        self.exchange = exchange
    }

    /// Sends one request and takes the new place from its answer.
    @discardableResult
    public func sync(_ mutations: [SyncMutation] = [], limit: Int = 1_000) async throws -> SyncResponse {
        let request = SyncRequest(epoch: epoch, cursor: cursor, limit: limit, mutations: mutations)
        let response = try await exchange(request)
        (epoch, cursor) = (response.epoch, response.cursor)
        return response
    }

    /// Asks until there is no more. Answers all changes in their order.
    @discardableResult
    public func catchUp(limit: Int = 1_000) async throws -> [SyncChange] {
        var changes: [SyncChange] = []
        var more = true
        while more {
            let response = try await sync(limit: limit)
            changes += response.changes
            more = response.more
        }
        return changes
    }

    /// Sends one mutation and answers what became of it.
    @discardableResult
    public func send(_ mutation: SyncMutation) async throws -> SyncResult {
        let results = try await sync([mutation]).results
        guard results.count == 1 else {
            throw ContractViolation(description: "1 mutation has \(results.count) results")
        }
        return results[0]
    }

    /// Forgets its cursor, to take everything anew.
    public func forgetPlace() { (epoch, cursor) = (nil, nil) }

    /// An idempotency key that it has not used.
    public func makeKey() -> String {
        keys += 1
        return "\(name)-\(keys)"
    }

    /// A mutation that makes a record; the base is the revision of its tombstone, where it has one.
    public func create(_ entity: some SyncEntity, base: Int64 = 0) throws -> SyncMutation {
        SyncMutation(
            key: makeKey(), entityType: type(of: entity).entityType, operation: .create, entityId: entity.id,
            base: base, data: .object(try WireCoding.fields(of: entity)))
    }

    /// A mutation that changes a record.
    public func update(_ type: EntityType, _ id: String, base: Int64, _ patch: JSONValue) -> SyncMutation {
        SyncMutation(key: makeKey(), entityType: type, operation: .update, entityId: id, base: base, data: patch)
    }

    /// A mutation that deletes a record.
    public func delete(_ type: EntityType, _ id: String, base: Int64) -> SyncMutation {
        SyncMutation(key: makeKey(), entityType: type, operation: .delete, entityId: id, base: base)
    }
}

extension JSONValue {
    /// A member of an object; nil where there is none.
    public subscript(_ name: String) -> JSONValue? { objectValue?[name] }
}
