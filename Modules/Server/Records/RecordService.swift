public import Foundation
public import TrendyDomain

/// Everything that can be done with records, for many users kept apart; no HTTP inside.
///
/// Bodies and answers are wire JSON. Each write is one transaction that holds the record, its entry in the
/// change log and the stored answer: after a crash either all of it is there, or nothing. The calls block;
/// refusals are thrown as ``ServerProblem``. A record of another user is never told apart from none.
public struct RecordService: Sendable {
    /// The largest number of records in a batch.
    public static let batchLimit = 500
    /// How long answers are kept for replay, in seconds: 30 days, by the contract.
    public static let replyLifetime = 30.0 * 86_400

    let store: any ServerStore
    let catalog: RecordCatalog
    let clock: any WallClock
    let random: any RandomSource
    let replies: ReplyKeeper
    let bookmarks = PageBookmarks()
    let keyPruning = PruningSchedule()

    /// Makes the service over a store.
    ///
    /// - Parameters:
    ///   - random: What the names of histories are made of.
    ///   - replyLifetime: How long answers are kept for replay, in seconds.
    public init(
        store: any ServerStore, catalog: RecordCatalog = .trendy, clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource(), replyLifetime: Double = RecordService.replyLifetime
    ) {
        self.store = store
        self.random = random
        self.catalog = catalog
        self.clock = clock
        self.replies = ReplyKeeper(store: store, clock: clock, lifetime: replyLifetime)
    }

    /// Makes the record in the body, or replaces the one that has its id: created or replaced.
    public func create(
        _ entityType: EntityType, _ body: Data, beneath scope: ParentScope? = nil, _ context: WriteContext
    ) throws -> WriteReply {
        let kind = try catalog.kind(entityType)
        let prepared = try kind.codec.prepare(body, beneath: scope)
        let request = KeyedRequest(
            context, route: "create \(entityType)", entityId: scope?.parent.id ?? "", body: body)
        return try replies.answer(request) { transaction in
            try write(transaction, context) { writer in
                if let scope { _ = try writer.existing(scope.parent) }
                let written = try writer.create(prepared, kind)
                return WriteReply(written.isNew ? .created : .replaced, written.document)
            }
        }
    }

    /// Changes the fields that the body names.
    public func update(
        _ entityType: EntityType, id: String, _ body: Data, _ context: WriteContext
    ) throws -> WriteReply {
        let kind = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        let request = KeyedRequest(context, route: "update \(entityType)", entityId: key.id, body: body)
        return try replies.answer(request) { transaction in
            try write(transaction, context) { writer in
                WriteReply(.updated, try writer.update(key, by: body, kind).document)
            }
        }
    }

    /// Deletes a record and all that cannot be without it.
    public func delete(_ entityType: EntityType, id: String, _ context: WriteContext) throws -> WriteReply {
        _ = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        let request = KeyedRequest(context, route: "delete \(entityType)", entityId: key.id, body: Data())
        return try replies.answer(request) { transaction in
            try write(transaction, context) { writer in
                try writer.delete(key)
                return WriteReply(.deleted, nil)
            }
        }
    }

    /// Changes records of one user, and keeps in the same transaction how far his history has come.
    func write<Value>(
        _ transaction: any ServerTransaction, _ context: WriteContext, _ body: (inout RecordWriter) throws -> Value
    ) throws -> Value {
        let revisions = RevisionSequence(of: context.userId, in: transaction, random: random)
        var writer = RecordWriter(
            transaction: transaction, catalog: catalog, userId: context.userId, now: clock.now(), revisions: revisions)
        let value = try body(&writer)
        try revisions.save()
        return value
    }

    /// The name of a record that a path gives.
    static func key(_ entityType: EntityType, _ id: String) throws -> RecordKey {
        guard let uuid = UUIDv7(id) else {
            throw ServerProblem.field("id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
        }
        return RecordKey(entityType, uuid.description)
    }
}
