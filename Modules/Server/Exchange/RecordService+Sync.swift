public import Foundation
import TrendyDomain

extension RecordService {
    /// How long the keys of mutations are kept, in seconds: 90 days, by the contract.
    static let mutationKeyLifetime = 90.0 * 86_400

    /// A sync request that was read and checked, outside any transaction.
    public struct PreparedSync: Sendable {
        let body: SyncBody

        /// Whether it has something to write.
        public var hasMutations: Bool { !body.mutations.isEmpty }
    }

    /// Reads and checks the body of a sync request.
    ///
    /// - Throws: ``ServerProblem`` where it cannot be read as a whole. What is wrong with one mutation is told in the
    ///   answer to that mutation.
    public func prepareSync(_ body: Data) throws -> PreparedSync {
        PreparedSync(body: try SyncBody(body, catalog: catalog))
    }

    /// Carries out the mutations of a request in their order, then reads what has changed after its cursor, all in one
    /// transaction. Answers the JSON of a `SyncResponse`.
    ///
    /// - Throws: ``ServerProblem``: of kind `epochChanged` or `cursorExpired` where the device must take everything
    ///   anew. Then nothing was carried out.
    public func sync(_ request: PreparedSync, userId: String) throws -> Data {
        let body = request.body
        if !request.hasMutations, let answer = try read(body, userId: userId) { return answer }
        let oldest = clock.now().advanced(bySeconds: -Self.mutationKeyLifetime)
        let outcome: Result<Data, ServerProblem> = try store.write { transaction in
            try write(transaction, WriteContext(userId: userId)) { writer in
                let before = try writer.revisions.history()
                if let problem = body.objection(to: before) {
                    // Other devices whose cursors are ahead as well must learn of it even when the head has grown.
                    if body.isAhead(of: before) { _ = try writer.revisions.renew() }
                    return .failure(problem)
                }
                var runner = try MutationRunner(body, writer: writer, oldest: oldest)
                let results = try body.mutations.map { try runner.run($0, &writer) }
                if keyPruning.isDue(at: writer.now) { try transaction.deleteOutcomes(before: oldest) }
                try transaction.save(runner.accepted, userId: userId)
                return .success(
                    try answer(
                        body, results, try writer.revisions.history(), start: before.head, userId: userId,
                        in: transaction))
            }
        }
        return try outcome.get()
    }

    /// The answer to a request without mutations; nil where the account has no history yet, or must get another one,
    /// which takes a transaction that writes.
    private func read(_ body: SyncBody, userId: String) throws -> Data? {
        try store.read { transaction in
            guard let history = try transaction.history(userId: userId), !body.isAhead(of: history) else { return nil }
            if let problem = body.objection(to: history) { throw problem }
            return try answer(body, [], history, start: history.head, userId: userId, in: transaction)
        }
    }

    private func answer(
        _ body: SyncBody, _ results: [MutationResult], _ history: AccountHistory, start: Int64, userId: String,
        in transaction: any ServerTransaction
    ) throws -> Data {
        let page = try ChangePage(
            after: body.cursor, start: start, head: history.head, limit: body.limit, userId: userId, catalog: catalog,
            in: transaction)
        // The results have these records already. What a deletion took with it is in no result, so it is a change.
        let told = Dictionary(
            zip(body.mutations, results).filter { $1.outcome == .accepted && !$1.isReplayed }
                .map { ($0.record, $1.revision) }, uniquingKeysWith: { max($0, $1) })
        let changes = page.entries.filter { told[$0.key] != $0.revision }
        var json = Data(capacity: changes.reduce(512) { $0 + 160 + ($1.document?.count ?? 0) } + results.count * 240)
        json.append("{\"epoch\":\(JSONText.quoted(history.epoch)),\"head\":\(history.head),\"results\":[")
        for (index, result) in results.enumerated() {
            if index > 0 { json.append(",") }
            try result.appendJSON(to: &json)
        }
        json.append("],\"changes\":[")
        for (index, change) in changes.enumerated() {
            if index > 0 { json.append(",") }
            change.appendJSON(to: &json)
        }
        json.append("],\"cursor\":\(JSONText.quoted("\(page.cursor)")),\"more\":\(page.more)}")
        return json
    }
}

extension SyncBody {
    /// Whether the device knows of more than has happened in the account: the server's data was restored from a backup.
    func isAhead(of history: AccountHistory) -> Bool {
        epoch == history.epoch
            && ((cursor?.revision ?? 0) > history.head || mutations.contains { $0.base > history.head })
    }

    /// Why the device must take everything anew; nil where it need not.
    func objection(to history: AccountHistory) -> ServerProblem? {
        if let epoch, epoch != history.epoch || isAhead(of: history) {
            return ServerProblem(
                .epochChanged, "this account has another history than the one that the device knows; take all anew")
        }
        if epoch == nil, cursor != nil || mutations.contains(where: { $0.base != 0 }) {
            return ServerProblem.field("epoch", "is required beside a cursor or a base", code: "required")
        }
        if let cursor, cursor.revision < history.horizon {
            return ServerProblem(
                .cursorExpired, "deletions since this cursor are not kept any more; take all anew")
        }
        return nil
    }
}
