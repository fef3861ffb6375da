import Foundation
import TrendyDomain

/// Carries out the mutations of one request, in their order, within one transaction.
///
/// Each is compared with what is there before anything of it is written, so one that is not accepted leaves no trace,
/// and the next one goes on.
struct MutationRunner {
    let transaction: any ServerTransaction
    let catalog: RecordCatalog
    let userId: String
    let now: Timestamp
    /// What became of mutations in earlier requests, by their keys; those of this request are added.
    private(set) var outcomes: [String: KeptOutcome]
    /// The outcomes of this request.
    private(set) var accepted: [KeptOutcome] = []
    /// The device has seen all changes up to this revision.
    private let seen: Int64
    /// The records of the mutations that this request has carried out.
    private var own: Set<RecordKey> = []

    init(_ body: SyncBody, writer: RecordWriter, oldest: Timestamp) throws {
        transaction = writer.transaction
        catalog = writer.catalog
        userId = writer.userId
        now = writer.now
        if case .changes(let revision)? = body.cursor { seen = revision } else { seen = 0 }
        outcomes = try transaction.outcomes(Set(body.mutations.map(\.key)), userId: userId).filter {
            $0.value.at >= oldest
        }
    }

    mutating func run(_ mutation: SyncBody.Mutation, _ writer: inout RecordWriter) throws -> MutationResult {
        if let outcome = outcomes[mutation.key] { return try replay(outcome, of: mutation) }
        let head = try writer.revisions.history().head
        let result: MutationResult
        do {
            result = try carryOut(mutation, &writer)
        } catch let problem as ServerProblem where problem.kind != .unavailable {
            // A refusal after the first write would be committed half done.
            guard try writer.revisions.history().head == head else {
                throw ServerProblem(.internal, "a mutation failed halfway, and nothing was done: \(problem.detail)")
            }
            result = MutationResult(key: mutation.key, outcome: .rejected, problem: problem)
        }
        if result.outcome == .accepted {
            own.insert(mutation.record)
            let outcome = KeptOutcome(
                mutationKey: mutation.key, record: mutation.record, revision: result.revision, at: now)
            outcomes[mutation.key] = outcome
            accepted.append(outcome)
        }
        return result
    }

    /// The answer of then. What the record has become since comes with the changes.
    private func replay(_ outcome: KeptOutcome, of mutation: SyncBody.Mutation) throws -> MutationResult {
        guard outcome.record == mutation.record else {
            let problem = ServerProblem(.keyReused, "this key was used for another record; make a new one")
            return MutationResult(key: mutation.key, outcome: .rejected, problem: problem)
        }
        let record = try transaction.record(outcome.record)
        let isStill = record?.revision == outcome.revision && record?.userId == userId
        return MutationResult(
            key: mutation.key, outcome: .accepted, revision: outcome.revision, isReplayed: true,
            server: isStill ? record : nil)
    }

    private func carryOut(_ mutation: SyncBody.Mutation, _ writer: inout RecordWriter) throws -> MutationResult {
        let kind = try catalog.kind(mutation.record.entityType)
        let found = try transaction.record(mutation.record)
        // Another user's record is never told apart from none, nor taken over.
        let present = found?.userId == userId ? found : nil
        switch try mutation.change.get() {
        case .create(let prepared):
            guard found == nil || present != nil else {
                throw ServerProblem.field("id", "cannot be used; make a new one")
            }
            return try create(prepared, mutation, kind, present, &writer)
        case .update(let patch): return try update(patch, mutation, kind, present, &writer)
        case .delete: return try delete(mutation, present, &writer)
        }
    }

    private func create(
        _ prepared: PreparedRecord, _ mutation: SyncBody.Mutation, _ kind: RecordKind, _ present: StoredRecord?,
        _ writer: inout RecordWriter
    ) throws -> MutationResult {
        if let present { return MutationResult(key: mutation.key, outcome: .exists, showing: present) }
        let tombstone = try transaction.tombstones([mutation.record], userId: userId)[mutation.record]
        if let tombstone, tombstone != mutation.base {
            return MutationResult(key: mutation.key, outcome: .deleted, revision: tombstone)
        }
        try writer.checkClock(of: prepared.id)
        let orphaned = try writer.missingParents(of: prepared, kind)
        if !orphaned.isEmpty { return MutationResult(key: mutation.key, blockedBy: orphaned) }
        if let other = try duplicate(of: prepared, kind) {
            return MutationResult(key: mutation.key, outcome: .duplicate, showing: other)
        }
        return try answer(writer.insert(prepared, mutation.record), to: mutation, isAsSent: prepared.isAsSent)
    }

    /// The other record that has the natural key, or by which servers recognise the new one.
    private func duplicate(of prepared: PreparedRecord, _ kind: RecordKind) throws -> StoredRecord? {
        let (index, type) = (prepared.index, kind.entityType)
        let id =
            try index.upsertKey.flatMap { try transaction.recordId(of: type, upsertKey: $0, userId: userId) }
            ?? index.naturalKey.flatMap { try transaction.recordId(of: type, naturalKey: $0, userId: userId) }
        return try id.flatMap { try transaction.record(RecordKey(type, $0)) }
    }

    private func update(
        _ patch: [String: JSONValue], _ mutation: SyncBody.Mutation, _ kind: RecordKind, _ present: StoredRecord?,
        _ writer: inout RecordWriter
    ) throws -> MutationResult {
        guard let present else { return try gone(mutation) }
        guard present.revision == mutation.base else {
            return MutationResult(key: mutation.key, outcome: .stale, showing: present)
        }
        let merged = try kind.codec.merged(present.document, id: present.key.id, with: patch)
        let orphaned = try writer.missingParents(of: merged, kind)
        if !orphaned.isEmpty { return MutationResult(key: mutation.key, blockedBy: orphaned) }
        try writer.check(merged, kind)
        return try answer(writer.replace(present, by: merged, kind), to: mutation, isAsSent: merged.isAsSent)
    }

    private func delete(
        _ mutation: SyncBody.Mutation, _ present: StoredRecord?, _ writer: inout RecordWriter
    ) throws -> MutationResult {
        guard let present else { return try gone(mutation) }
        guard present.revision == mutation.base else {
            return MutationResult(key: mutation.key, outcome: .stale, showing: present)
        }
        // A child may have an edit that this device has not seen. Its author would not learn of the deletion as a conflict.
        let isSeen = try writer.dependents(of: mutation.record).allSatisfy {
            $0.revision <= seen || own.contains($0.key)
        }
        guard isSeen else { return MutationResult(key: mutation.key, outcome: .stale, showing: present) }
        try writer.delete(mutation.record)
        return MutationResult(key: mutation.key, outcome: .accepted, revision: try writer.revisions.history().head)
    }

    /// The record has a tombstone, or was never there.
    private func gone(_ mutation: SyncBody.Mutation) throws -> MutationResult {
        let tombstone = try transaction.tombstones([mutation.record], userId: userId)[mutation.record]
        return MutationResult(key: mutation.key, outcome: .deleted, revision: tombstone ?? 0)
    }

    private func answer(
        _ written: RecordWriter.Written, to mutation: SyncBody.Mutation, isAsSent: Bool
    ) throws -> MutationResult {
        guard let record = try transaction.record(mutation.record) else {
            return MutationResult(key: mutation.key, outcome: .accepted, revision: written.revision)
        }
        return isAsSent
            ? MutationResult(key: mutation.key, outcome: .accepted, revision: written.revision, server: record)
            : MutationResult(key: mutation.key, outcome: .accepted, showing: record)
    }
}
