import TrendyData
import TrendyDomain

extension PlantedBug {
    static let lostHistoryBugs = [runIsIgnored, lostDeletionIsNotListed, lostEditIsNotListed]

    /// The server believes of each cursor that the run that it names has made the present head.
    private static let runIsIgnored = PlantedBug(
        name: "the run in a cursor is ignored", promise: .nothingVanishes, knownSeed: 12, other: .convergence,
        misreads: { request, server in
            guard request.isExchange, var members = request.members, let cursor = members["cursor"]?.stringValue,
                let present = server.freshCursor?.split(separator: "~")
            else { return request }
            var parts = cursor.split(separator: "~", omittingEmptySubsequences: false)
            if parts.count > 1, present.count > 1 { parts[1] = present[1] }
            members["cursor"] = .string(parts.joined(separator: "~"))
            var request = request
            request.body = (try? WireCoding.encode(members)) ?? request.body
            return request
        })

    /// What was deleted in a history that is lost comes back.
    private static let lostDeletionIsNotListed = PlantedBug(
        name: "a lost deletion is not listed", promise: .noResurrection, knownSeed: 12,
        plant: { _ in .store { ForgetsTombstones($0) } })

    /// What was edited in a history that is lost is overwritten.
    private static let lostEditIsNotListed = PlantedBug(
        name: "a lost edit is not listed", promise: .nothingVanishes, knownSeed: 12,
        plant: { _ in .store { ForgetsLosses($0) } })
}

private final class ForgetsTombstones: ForwardingStore {
    override func voidRevisions(keepingFormer: Bool) throws {
        for type in try schemaTypes() {
            let ids = try base.unmarkedIds(type, after: nil, limit: .max)
            let gone = try base.bases(type, ids: ids).values.filter { $0.isDeleted && $0.document == nil }
            try base.deleteBases(type, ids: gone.map(\.id))
        }
        try super.voidRevisions(keepingFormer: keepingFormer)
    }

    private func schemaTypes() throws -> [EntityType] { EntitySchema.trendy.types.map { $0.entityType } }
}

private final class ForgetsLosses: ForwardingStore {
    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if (document as? SyncConflict)?.isLostByServer == true { return }
        try super.putDocument(document)
    }
}
