import Foundation
import TrendyDomain

/// A write whose body was read and checked: its transaction is all that is left.
///
/// There is one writer for everybody: what a client can make long, such as a body, is done with before its turn comes.
struct PreparedWrite: Sendable {
    let replies: ReplyKeeper
    let request: KeyedRequest
    let work: @Sendable (any ServerTransaction) throws -> WriteReply

    /// Runs the transaction.
    ///
    /// - Throws: ``ServerProblem``; ``MisfitRecord`` where it has still to be found out what is wrong.
    func commit() throws -> WriteReply { try replies.answer(request, work) }
}

extension RecordService {
    func prepareCreate(
        _ entityType: EntityType, _ body: Data, beneath scope: ParentScope?, _ context: WriteContext
    ) throws -> PreparedWrite {
        let kind = try catalog.kind(entityType)
        let prepared = try kind.codec.prepare(body, beneath: scope)
        let request = KeyedRequest(
            context, route: "create \(entityType)", entityId: scope?.parent.id ?? "", body: body)
        return PreparedWrite(replies: replies, request: request) { transaction in
            try write(transaction, context) { writer in
                if let scope { _ = try writer.existing(scope.parent) }
                let written = try writer.create(prepared, kind)
                return WriteReply(written.isNew ? .created : .replaced, written.document)
            }
        }
    }

    func prepareUpdate(
        _ entityType: EntityType, id: String, _ body: Data, _ context: WriteContext
    ) throws -> PreparedWrite {
        let kind = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        let patch = try kind.codec.preparePatch(body, id: key.id)
        let request = KeyedRequest(context, route: "update \(entityType)", entityId: key.id, body: body)
        // The record seldom changes until it is the turn of this write.
        let record = try store.read { try $0.record(key) }
        let applied = record.flatMap { $0.userId == context.userId ? AppliedPatch(patch, to: $0.document) : nil }
        return PreparedWrite(replies: replies, request: request) { transaction in
            try write(transaction, context) { writer in
                WriteReply(.updated, try writer.update(key, by: patch, applied, kind).document)
            }
        }
    }

    func prepareDelete(_ entityType: EntityType, id: String, _ context: WriteContext) throws -> PreparedWrite {
        _ = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        let request = KeyedRequest(context, route: "delete \(entityType)", entityId: key.id, body: Data())
        return PreparedWrite(replies: replies, request: request) { transaction in
            try write(transaction, context) { writer in
                try writer.delete(key)
                return WriteReply(.deleted, nil)
            }
        }
    }
}
