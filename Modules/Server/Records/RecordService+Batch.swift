public import Foundation
public import TrendyDomain

extension RecordService {
    /// Makes many records in one transaction. Those that cannot be made do not hold back the others: the
    /// answer lists both.
    ///
    /// - Parameter member: The member of the body that holds the records: "events".
    public func createBatch(
        _ entityType: EntityType, _ body: Data, member: String, _ context: WriteContext
    ) throws -> WriteReply {
        try prepareBatch(entityType, body, member: member, context).commit()
    }

    func prepareBatch(
        _ entityType: EntityType, _ body: Data, member: String, _ context: WriteContext
    ) throws -> PreparedWrite {
        let kind = try catalog.kind(entityType)
        let prepared = try kind.codec.prepareBatch(body, member: member, limit: Self.batchLimit)
        let request = KeyedRequest(context, route: "batch \(entityType)", entityId: "", body: body)
        return PreparedWrite(replies: replies, request: request) { transaction in
            try write(transaction, context) { writer in
                var created: [Data] = []
                var errors: [BatchError] = []
                created.reserveCapacity(prepared.count)
                for (index, item) in prepared.enumerated() {
                    do {
                        created.append(try writer.create(item.get(), kind).document)
                    } catch let problem as ServerProblem where problem.kind != .unavailable {
                        errors.append(BatchError(index: index, message: problem.description))
                    }
                }
                return try Self.batchReply(created, errors)
            }
        }
    }

    private static func batchReply(_ created: [Data], _ errors: [BatchError]) throws -> WriteReply {
        var document = Data("{\"created\":".utf8)
        JSONText.append(created, to: &document)
        if !errors.isEmpty {
            document.append(contentsOf: ",\"errors\":".utf8)
            document.append(try WireCoding.encode(errors))
        }
        let total = created.count + errors.count
        document.append(
            contentsOf: ",\"failed\":\(errors.count),\"success\":\(created.count),\"total\":\(total)}".utf8)
        let outcome: WriteReply.Outcome =
            errors.isEmpty ? .created : created.isEmpty ? .noneCreated : .partlyCreated
        return WriteReply(outcome, document)
    }
}
