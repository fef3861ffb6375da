public import Foundation
import TrendyDomain

extension RecordService {
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
    ///   anew, and `tooLarge` where the answer would be. Then nothing was carried out.
    public func sync(_ request: PreparedSync, userId: String) throws -> Data {
        if !request.hasMutations, let answer = try read(request, userId: userId) { return answer }
        return try prepareExchange(request, userId: userId).commit().get()
    }

    /// The answer to a request without mutations; nil where the account has no history yet, or must get another one,
    /// which takes a transaction that writes.
    func read(_ request: PreparedSync, userId: String) throws -> Data? {
        let body = request.body
        return try store.read(userId) { transaction in
            guard let history = try transaction.history() else { return nil }
            if let problem = try body.objection(to: history, in: transaction) {
                if body.isOfLostHistory(problem, in: history) { return nil }
                throw problem
            }
            let page = try ChangePage(
                after: body.cursor, start: history.head, head: history.head, made: [], told: [:], limit: body.limit,
                used: 0, catalog: catalog, in: transaction)
            return try Self.answer([], page, history, WireDocument(userId: userId))
        }
    }

    /// The transaction of a request. Patches are applied before it, to the records as they are then.
    ///
    /// It has a refusal as its value where the refusal changes the history.
    func prepareExchange(
        _ request: PreparedSync, userId: String
    ) throws -> PreparedWrite<Result<Data, ServerProblem>> {
        let body = request.body
        let patches = try appliedPatches(body, userId: userId)
        let deletion = try largeDeletion(body, userId: userId)
        var write: PreparedWrite<Result<Data, ServerProblem>> = prepare(for: userId) {
            writer -> Result<(MutationRunner, [MutationResult]), ServerProblem> in
            if let problem = try body.objection(to: writer.history, in: writer.transaction) {
                if body.isOfLostHistory(problem, in: writer.history) { writer.renewHistory() }
                return .failure(problem)
            }
            let oldest = moment(secondsAgo: Self.keyLifetime)
            var runner = try MutationRunner(body, patches: patches, writer: writer, oldest: oldest)
            let results = try runner.run(body.mutations)
            return .success((runner, results))
        } then: { writer, outcome in
            if case .failure(let problem) = outcome { return .failure(problem) }
            let (runner, results) = try outcome.get()
            let page = try ChangePage(
                after: body.cursor, start: writer.start, head: writer.history.head, made: writer.changes,
                told: runner.told, limit: body.limit, used: runner.bytes, catalog: catalog, in: writer.transaction)
            return .success(try Self.answer(results, page, writer.history, WireDocument(userId: userId)))
        }
        if let deletion {
            write.piece = { transaction in
                let writer = try makeWriter(transaction, of: userId)
                return try body.objection(to: writer.history, in: transaction) == nil && deletion.carryOutPiece(writer)
            }
        }
        return write
    }

    /// The deletions of a request that nothing stands in the way of, where they are too large for its transaction.
    private func largeDeletion(_ body: SyncBody, userId: String) throws -> LargeDeletion? {
        func isDeletion(_ mutation: SyncBody.Mutation) -> Bool {
            guard case .delete? = try? mutation.change.get() else { return false }
            return LargeDeletion.isFlat(mutation.record.entityType, catalog)
        }
        let deletions = body.mutations.filter(isDeletion)
        if deletions.isEmpty { return nil }
        let named = Set(body.mutations.filter { !isDeletion($0) }.map(\.record))
        return try reading(userId) { reader in
            if try body.objection(to: reader.history, in: reader.transaction) != nil { return nil }
            let known = try reader.transaction.outcomes(Set(deletions.map(\.key)))
            let oldest = reader.now.advanced(bySeconds: -Self.keyLifetime)
            let targets = deletions.filter { deletion in
                guard let kept = known[deletion.key] else { return true }
                return kept.at < oldest || !MutationDigest.matches(kept.digest, deletion)
            }.map { LargeDeletion.Target(key: $0.record, base: $0.base, seen: body.seen) }
            return try LargeDeletion(targets, besides: named, catalog: catalog, reader)
        }
    }

    private func appliedPatches(_ body: SyncBody, userId: String) throws -> [Int: AppliedPatch] {
        let updates = body.mutations.enumerated().compactMap { place, mutation in
            if case .update(let fields)? = try? mutation.change.get() { (place, mutation, fields) } else { nil }
        }
        if updates.isEmpty { return [:] }
        let records = try store.read(userId) { try $0.records(Set(updates.map(\.1.record))) }
        var patches: [Int: AppliedPatch] = [:]
        for (place, mutation, fields) in updates {
            guard let record = records[mutation.record]?.live, record.revision == mutation.base,
                let document = record.document
            else { continue }
            let codec = try catalog.kind(mutation.record.entityType).codec
            patches[place] = (document, Result { try codec.patched(document, by: fields, mergesMaps: true) })
        }
        return patches
    }

    private static func answer(
        _ results: [MutationResult], _ page: ChangePage, _ history: AccountHistory, _ wire: WireDocument
    ) throws -> Data {
        let shown = page.entries + results.compactMap(\.record)
        var json = Data(capacity: shown.reduce(512) { $0 + 320 + ($1.document?.count ?? 0) } + results.count * 240)
        json.append("{\"epoch\":\(JSONText.quoted(history.epoch)),\"head\":\(history.head),\"results\":")
        try JSONText.append(results, to: &json) { try $0.append(to: &$1, wire) }
        json.append(",\"changes\":")
        JSONText.append(page.entries, to: &json) { $0.appendChange(to: &$1, wire) }
        json.append(",\"cursor\":\(JSONText.quoted(SyncCursor(page.end, in: history).text)),\"more\":\(page.more)}")
        return json
    }
}

extension SyncBody {
    /// The device has seen all changes up to this revision.
    var seen: Int64 { if case .changes(let revision)? = cursor?.place { revision } else { 0 } }

    /// Why the device must take everything anew; nil where it need not.
    func objection(to history: AccountHistory, in transaction: any RecordTransaction) throws -> ServerProblem? {
        if epoch == nil, cursor != nil || mutations.contains(where: { $0.base != 0 }) {
            return ServerProblem.field("epoch", "is required beside a cursor or a base", code: "required")
        }
        guard try isProven(by: history, in: transaction) else {
            return ServerProblem(
                .epochChanged, "this account has another history than the one that the device knows; take all anew")
        }
        if let cursor, cursor.revision < history.horizon {
            return ServerProblem(
                .cursorExpired, "deletions since this cursor are not kept any more; take all anew")
        }
        return nil
    }

    /// Whether all revisions that the device knows are of this history: none lies past the end of the run that its cursor
    /// names. Without a run the epoch is all that tells, and the head all that bounds.
    private func isProven(by history: AccountHistory, in transaction: any RecordTransaction) throws -> Bool {
        guard let epoch else { return true }
        let run = cursor?.run ?? history.run
        guard cursor?.run.isEmpty == false || epoch == history.epoch else { return false }
        let end = try run == history.run ? history.head : transaction.lastRevision(of: run)
        let known = mutations.reduce(cursor?.head ?? 0) { max($0, $1.base) }
        return end.map { known <= $0 } ?? false
    }

    /// Whether the device knows a history of the present name that is not the present one: the server's data was put
    /// back. Then the present one gets another name, so that nobody takes revisions of one for those of the other.
    func isOfLostHistory(_ problem: ServerProblem, in history: AccountHistory) -> Bool {
        problem.kind == .epochChanged && epoch == history.epoch
    }
}
