import Foundation
import TrendyDomain

/// A write whose body was read and checked: its transaction is all that is left.
///
/// There is one writer for everybody: what a client can make long, such as a body, is done with before its turn comes.
/// Every change of records is one of these, so those who watch the account are told of each.
struct PreparedWrite<Value: Sendable>: Sendable {
    /// What a transaction answers, and the history after it; nil where it has changed nothing.
    typealias Outcome = (value: Value, history: AccountHistory?)

    let store: any ServerStore
    let userId: String
    let live: LiveHub
    /// Told how far the transaction has brought the history.
    var run: ServerRun?
    var work: @Sendable (any RecordTransaction) throws -> Outcome
    /// What is too large for its transaction goes before it in others, each of which answers whether to go on. Those who
    /// watch are told of them with the transaction.
    var piece: (@Sendable (any RecordTransaction) throws -> Bool)?

    /// The same write, undone where there is no room for its answer.
    func holding(_ take: @escaping @Sendable (Value) throws -> Void) -> Self {
        var write = self
        write.work = { [work] transaction in
            let outcome = try work(transaction)
            try take(outcome.value)
            return outcome
        }
        return write
    }

    /// Runs the transactions.
    func commit() throws -> Value {
        if let piece { while try store.write(userId, piece) {} }
        let outcome = try store.write(userId, noted)
        tellWatchers(outcome)
        return outcome.value
    }

    /// The work, and then the note of it: from there on only the commit can fail.
    private var noted: @Sendable (any RecordTransaction) throws -> Outcome {
        return { [work, run, userId] transaction in
            let outcome = try work(transaction)
            if let history = outcome.history { run?.note(history, of: userId) }
            return outcome
        }
    }

    private func tellWatchers(_ outcome: Outcome) {
        if let history = outcome.history { live.committed(userId, ServerHead(history)) }
    }

    /// The transaction as one of several that may be carried out together.
    func job(then tell: @escaping @Sendable (Result<Value, any Error>) -> Void) -> WriteJob {
        WriteJob(userId, noted) { result in
            tell(result.map(\.value))
            if case .success(let outcome) = result { tellWatchers(outcome) }
        }
    }
}

extension RecordService {
    func prepareCreate(
        _ entityType: EntityType, _ body: Data, beneath scope: ParentScope?, _ context: WriteContext
    ) throws -> PreparedWrite<WriteReply> {
        let kind = try catalog.kind(entityType)
        let prepared = try kind.codec.prepare(body, beneath: scope)
        let request = KeyedWrite(context, route: "create \(entityType)", entityId: scope?.parent.id ?? "", body: body)
        return prepare(request) { writer, kept in
            WriteReply(kept.outcome ?? .created, try written(prepared, kind, writer, context.userId))
        } work: { writer in
            if let scope { _ = try writer.existing(scope.parent) }
            try writer.load([prepared], entityType)
            let (record, isNew) = try writer.create(prepared, kind)
            return WriteReply(isNew ? .created : .replaced, WireDocument(userId: context.userId).of(record))
        }
    }

    func prepareUpdate(
        _ entityType: EntityType, id: String, _ body: Data, _ context: WriteContext
    ) throws -> PreparedWrite<WriteReply> {
        let kind = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        let patch = try kind.codec.patch(body, id: key.id, named: "the id in the path")
        let apply: @Sendable (Data) throws -> PreparedRecord = {
            try kind.codec.patched($0, by: patch, mergesMaps: false)
        }
        // The record seldom changes until it is the turn of this write.
        let applied = try store.read(context.userId) { try $0.records([key])[key]?.live?.document }
            .map { document in AppliedPatch(document, Result { try apply(document) }) }
        let request = KeyedWrite(context, route: "update \(entityType)", entityId: key.id, body: body)
        let userId = context.userId
        return prepare(request) { writer, _ in
            WriteReply(.updated, WireDocument(userId: userId).of(try writer.existing(key)))
        } work: { writer in
            let old = try writer.existing(key)
            let isSame = applied?.document == old.document
            let prepared = try (isSame ? applied : nil)?.result.get() ?? apply(old.document ?? Data())
            try writer.load([prepared], entityType)
            try writer.check(prepared, kind, over: old)
            let record = try writer.replace(old, by: prepared, kind)
            return WriteReply(.updated, WireDocument(userId: userId).of(record))
        }
    }

    func prepareDelete(
        _ entityType: EntityType, id: String, _ context: WriteContext
    ) throws -> PreparedWrite<WriteReply> {
        _ = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        let request = KeyedWrite(context, route: "delete \(entityType)", entityId: key.id, body: Data())
        var write: PreparedWrite<WriteReply> = prepare(request) { _, _ in
            WriteReply(.deleted, nil)
        } work: { writer in
            _ = try writer.existing(key)
            try writer.delete(key)
            return WriteReply(.deleted, nil)
        }
        guard LargeDeletion.isFlat(entityType, catalog) else { return write }
        let deletion = try reading(context.userId) { reader -> LargeDeletion? in
            guard try request.isNew(reader, keptSince: reader.now.advanced(bySeconds: -replyLifetime)) else {
                return nil
            }
            return try LargeDeletion([LargeDeletion.Target(key: key)], besides: [], catalog: catalog, reader)
        }
        if let deletion { write.piece = { try deletion.carryOutPiece(makeWriter($0, of: context.userId)) } }
        return write
    }

    /// What changes records of a user within a transaction.
    func makeWriter(_ transaction: any RecordTransaction, of userId: String) throws -> AccountWriter {
        try AccountWriter(
            transaction, of: userId, catalog: catalog, now: clock.now(), random: random, run: run, quota: quota.quota,
            demandsAccount: demandsAccounts)
    }

    /// Looks at records as a write does, on one state of them, and changes nothing.
    func reading<Value>(_ userId: String, _ body: (AccountWriter) throws -> Value) throws -> Value {
        try store.read(userId) { try body(makeWriter($0, of: userId)) }
    }

    func prepareBatch(
        _ entityType: EntityType, _ body: Data, member: String, _ context: WriteContext
    ) throws -> PreparedWrite<WriteReply> {
        let kind = try catalog.kind(entityType)
        let prepared = try kind.codec.prepareBatch(body, member: member, limit: Self.batchLimit)
        let request = KeyedWrite(context, route: "batch \(entityType)", entityId: "", body: body)
        return prepare(request) { writer, kept in
            let errors = try kept.errors.map { try WireCoding.decode([BatchError].self, from: $0) } ?? []
            let failed = Set(errors.map(\.index))
            // What has been deleted since is left out.
            let created = prepared.enumerated().filter { !failed.contains($0.offset) }.compactMap { item in
                try? written(item.element.get(), kind, writer, context.userId)
            }
            return try Self.batchReply(created, errors, of: prepared.count)
        } work: { writer in
            try writer.load(prepared.compactMap { try? $0.get() }, entityType)
            let wire = WireDocument(userId: context.userId)
            var (created, errors): ([Data], [BatchError]) = ([], [])
            for (index, item) in prepared.enumerated() {
                do {
                    created.append(wire.of(try writer.create(item.get(), kind).record))
                } catch let problem as ServerProblem where problem.kind != .unavailable {
                    errors.append(BatchError(index: index, message: problem.description))
                }
            }
            return try Self.batchReply(created, errors, of: prepared.count)
        }
    }

    private static func batchReply(_ created: [Data], _ errors: [BatchError], of total: Int) throws -> WriteReply {
        var document = Data("{\"created\":".utf8)
        JSONText.append(created, to: &document) { $1.append($0) }
        let failures = errors.isEmpty ? nil : try WireCoding.encode(errors)
        if let failures {
            document.append(",\"errors\":")
            document.append(failures)
        }
        document.append(",\"failed\":\(errors.count),\"success\":\(total - errors.count),\"total\":\(total)}")
        let outcome: WriteReply.Outcome =
            errors.isEmpty ? .created : errors.count == total ? .noneCreated : .partlyCreated
        var reply = WriteReply(outcome, document)
        reply.errors = failures
        return reply
    }

    /// The record that an earlier request has made of this one, as it is now.
    ///
    /// - Throws: ``ServerProblem`` where it has been deleted since.
    private func written(
        _ prepared: PreparedRecord, _ kind: RecordKind, _ writer: AccountWriter, _ userId: String
    ) throws -> Data {
        let upsertKey = prepared.index.upsertKey.map { UniqueKey(kind.entityType, .upsert, $0) }
        let id = try upsertKey.flatMap { try writer.holder(of: $0) } ?? prepared.id
        return WireDocument(userId: userId).of(try writer.existing(RecordKey(kind.entityType, id)))
    }

    private func prepare(
        _ request: KeyedWrite, again: @escaping @Sendable (AccountWriter, KeptOutcome) throws -> WriteReply,
        work: @escaping @Sendable (AccountWriter) throws -> WriteReply
    ) -> PreparedWrite<WriteReply> {
        prepare(for: request.context.userId) { writer in
            return try request.answer(writer, keptSince: moment(secondsAgo: replyLifetime)) {
                try again(writer, $0)
            } work: {
                try work(writer)
            }
        } then: {
            $1
        }
    }

    /// A transaction that changes records of a user; what was changed is given to the store before `then`.
    func prepare<Value, Answer: Sendable>(
        for userId: String, _ body: @escaping @Sendable (AccountWriter) throws -> Value,
        then answer: @escaping @Sendable (AccountWriter, Value) throws -> Answer
    ) -> PreparedWrite<Answer> {
        PreparedWrite(store: store, userId: userId, live: live, run: run) { transaction in
            let writer = try makeWriter(transaction, of: userId)
            let value = try body(writer)
            if let settled = settledClock.now(), pruning.isDue(userId, at: settled) {
                try transaction.deleteOutcomes(before: settled.advanced(bySeconds: -Self.keyLifetime))
            }
            try writer.save()
            return (try answer(writer, value), writer.hasChangedHistory ? writer.history : nil)
        }
    }

    /// The moment that is so many seconds ago for sure, or nil where none is known to be.
    func moment(secondsAgo seconds: Double) -> Timestamp? { settledClock.now()?.advanced(bySeconds: -seconds) }
}
