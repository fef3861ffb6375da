import TrendyDomain

/// What a person does about changes that wait, were refused, or collided. The caller saves the unit of work.
///
/// Each action drops, replaces or appends operations of a record. The fold follows from that.
struct Ledger {
    let writer: RecordWriter
    /// Tells whether a sync is running.
    var owner = LeaseOwner.process

    var store: any DataStoreProtocol { writer.store }
    var schema: EntitySchema { writer.schema }
    var replica: Replica { writer.replica }

    func mutation(_ id: Int64) throws -> PendingMutation {
        guard let found = try store.findMutation(id: id) else { throw SyncEngineError.unknownMutation(id) }
        return found
    }

    /// An open mutation: a person can still decide about it.
    ///
    /// If it was sent without an answer, and no sync is running, it is parked as one that may have arrived.
    func openMutation(_ id: Int64) throws -> PendingMutation {
        var mutation = try mutation(id)
        switch mutation.state {
        case .queued, .parked: return mutation
        case .accepted, .merged, .dropped: throw LedgerError.notOpen(id, mutation.state.name)
        case .sending:
            if try owner.holder(of: store.metadata(MetadataKey.lease), at: replica.wallClock.now()) != nil {
                throw LedgerError.sending(id)
            }
            mutation.park(ParkReason(code: .cleared, message: "it went without an answer"), at: replica.wallClock.now())
            try store.updateMutation(mutation)
            return mutation
        }
    }

    func type(of mutation: PendingMutation) throws -> any SyncEntity.Type {
        guard let type = schema.type(for: mutation.entityType) else {
            throw SyncEngineError.unknownEntityType(mutation.entityType)
        }
        return type
    }

    /// Queues a mutation again under another key, because a server may have kept its refusal under the first and
    /// binds a key to a body. One that may have arrived keeps its key and its content. Mutations that were parked
    /// behind it are queued too.
    func reopen(_ mutation: PendingMutation, isEdited: Bool = false) throws {
        let kind = mutation.entityType
        let behind = try store.openMutations(kind, ids: [mutation.entityId]).filter { $0.parkReason?.code == .waiting }
        for var opened in [mutation] + behind where opened.id == mutation.id || opened.id > mutation.id {
            let isAsSent = opened.isUnanswered && !(isEdited && opened.id == mutation.id)
            if !isAsSent && opened.state != .queued { opened.clientRequestId = replica.identifiers.makeId() }
            opened.state = isAsSent ? .sending : .queued
            opened.settledAt = nil
            (opened.attempts, opened.lastError) = (0, nil)
            try store.updateMutation(opened)
        }
        try replica.show(replica.load(try type(of: mutation), mutation.entityId))
    }

    /// A record without references to deleted parents, if its kind can be without them.
    ///
    /// - Throws: `LedgerError.parentGone` if it cannot.
    func withLivingParents(_ document: RecordDocument, of key: RecordKey, _ type: any SyncEntity.Type) throws
        -> RecordDocument
    {
        var living = document
        for reference in type.parents {
            guard let id = document[reference.field]?.stringValue, schema.type(for: reference.entityType) != nil,
                try store.standings(reference.entityType, ids: [id]).isEmpty
            else { continue }
            guard reference.onDelete == .clear else {
                throw LedgerError.parentGone(
                    entityType: key.entityType, id: key.id, parent: reference.entityType, parentId: id)
            }
            living[reference.field] = nil
        }
        return living
    }

    /// Reads a record from a document, to see whether it is one.
    func demandRecord(_ document: RecordDocument, _ type: any SyncEntity.Type) throws {
        func read<Entity: SyncEntity>(_ type: Entity.Type) throws { _ = try WireCoding.value(type, from: document) }
        try read(type)
    }
}

extension PendingMutation {
    /// Parks it because a person wants that, whatever the server did with it.
    mutating func park(_ reason: ParkReason, at moment: Timestamp) {
        var reason = reason
        reason.isUnanswered = state == .sending
        state = .parked(reason)
        settledAt = moment
    }

    /// Why it is parked; nil where it is not.
    var parkReason: ParkReason? {
        if case .parked(let reason) = state { reason } else { nil }
    }

    /// Whether a request with it has not been answered.
    var isUnanswered: Bool { state == .sending || parkReason?.isUnanswered == true }
}
