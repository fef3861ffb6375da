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
    /// The revision before the first change of this request.
    private let start: Int64

    init(_ body: SyncBody, writer: RecordWriter, oldest: Timestamp) throws {
        transaction = writer.transaction
        catalog = writer.catalog
        userId = writer.userId
        now = writer.now
        if case .changes(let revision)? = body.cursor { seen = revision } else { seen = 0 }
        start = try writer.revisions.history().head
        outcomes = try transaction.outcomes(Set(body.mutations.map(\.key)), userId: userId).filter {
            $0.value.at >= oldest
        }
    }

    mutating func run(_ mutation: SyncBody.Mutation, _ writer: inout RecordWriter) throws -> MutationResult {
        if let outcome = outcomes[mutation.key] { return try replay(outcome, of: mutation) }
        let result: MutationResult
        do {
            result = try carryOut(mutation, &writer)
        } catch let problem as ServerProblem where problem.kind != .unavailable {
            result = MutationResult(key: mutation.key, outcome: .rejected, problem: problem)
        }
        if result.outcome == .accepted {
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
        let present = try transaction.record(mutation.record)
        // Another user's record is never told apart from none, nor taken over.
        if let present, present.userId != userId {
            throw ServerProblem.missing(mutation.record.entityType, mutation.record.id)
        }
        switch try mutation.change.get() {
        case .create(let prepared): return try create(prepared, mutation, kind, present, &writer)
        case .update(let patch): return try update(patch, mutation, kind, present, &writer)
        case .delete: return try delete(mutation, present, &writer)
        }
    }

    private func create(
        _ prepared: PreparedRecord, _ mutation: SyncBody.Mutation, _ kind: RecordKind, _ present: StoredRecord?,
        _ writer: inout RecordWriter
    ) throws -> MutationResult {
        if let present { return MutationResult(key: mutation.key, outcome: .exists, showing: present) }
        let grave = try transaction.tombstones([mutation.record], userId: userId)[mutation.record]
        if let grave, grave != mutation.base {
            return MutationResult(key: mutation.key, outcome: .deleted, revision: grave)
        }
        try writer.checkClock(of: prepared.id)
        let orphaned = try writer.missingParents(of: prepared, kind)
        if !orphaned.isEmpty { return MutationResult(key: mutation.key, blockedBy: orphaned) }
        if let twin = try twin(of: prepared, kind) {
            return MutationResult(key: mutation.key, outcome: .duplicate, showing: twin)
        }
        return try answer(writer.insert(prepared, mutation.record), to: mutation, isAsSent: prepared.isAsSent)
    }

    /// The other record that has the natural key, or by which servers recognise the new one.
    private func twin(of prepared: PreparedRecord, _ kind: RecordKind) throws -> StoredRecord? {
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
        // The device is to see what it takes along: whoever has edited that has nothing open by which to learn of it.
        let isSeen = try writer.dependents(of: mutation.record).allSatisfy {
            $0.revision <= seen || $0.revision > start
        }
        guard isSeen else { return MutationResult(key: mutation.key, outcome: .stale, showing: present) }
        try writer.delete(mutation.record)
        return MutationResult(key: mutation.key, outcome: .accepted, revision: try writer.revisions.history().head)
    }

    /// The record has a tombstone, or was never there.
    private func gone(_ mutation: SyncBody.Mutation) throws -> MutationResult {
        let grave = try transaction.tombstones([mutation.record], userId: userId)[mutation.record]
        return MutationResult(key: mutation.key, outcome: .deleted, revision: grave ?? 0)
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
