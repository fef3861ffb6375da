import Foundation
import TrendyDomain

/// Carries out the mutations of one request, in their order, within one transaction.
///
/// Each is compared with what is there before anything is changed, so one that is not accepted leaves no trace,
/// and the next one goes on. What they are compared with is asked for at once, before the first.
struct MutationRunner {
    private let writer: AccountWriter
    /// What became of mutations, in earlier requests and in this one, by their keys.
    private var outcomes: [String: KeptOutcome]
    /// The device has seen all changes up to this revision.
    private let seen: Int64
    private let patches: [Int: AppliedPatch]
    /// The revisions that the results of this request tell, by their records.
    private(set) var told: [RecordKey: Int64] = [:]
    /// Bytes of the records that the results show.
    private(set) var bytes = 0

    /// - Parameters:
    ///   - patches: What updates, by their places in the request, have made of the records of before.
    ///   - oldest: Keys that were kept before that moment are not known any more.
    init(_ body: SyncBody, patches: [Int: AppliedPatch], writer: AccountWriter, oldest: Timestamp?) throws {
        self.writer = writer
        self.patches = patches
        seen = body.seen
        outcomes = try writer.transaction.outcomes(Set(body.mutations.map(\.key)))
        if let oldest { outcomes = outcomes.filter { $0.value.at >= oldest } }
        var (names, prepared, parents): ([RecordKey], [EntityType: [PreparedRecord]], [RecordKey]) = ([], [:], [])
        for (place, mutation) in body.mutations.enumerated() {
            let change = try? mutation.change.get()
            if case .delete? = change { parents.append(mutation.record) }
            if case .create(let record)? = change {
                prepared[mutation.record.entityType, default: []].append(record)
            } else {
                names.append(mutation.record)
                if let record = try? patches[place]?.result.get() {
                    prepared[mutation.record.entityType, default: []].append(record)
                }
            }
        }
        try writer.load(names)
        for (type, records) in prepared { try writer.load(records, type) }
        try writer.loadChildren(of: parents)
    }

    /// - Throws: ``ServerProblem`` of kind `tooLarge` where the results show more than an answer may hold.
    mutating func run(_ mutations: [SyncBody.Mutation]) throws -> [MutationResult] {
        var results: [MutationResult] = []
        results.reserveCapacity(mutations.count)
        for (place, mutation) in mutations.enumerated() {
            let result = try run(mutation, at: place)
            bytes += result.record?.document?.count ?? 0
            guard results.isEmpty || bytes <= ChangePage.byteLimit else {
                throw ServerProblem(.tooLarge, "the answer would have more than 8 MiB; send less with one request")
            }
            results.append(result)
        }
        return results
    }

    private mutating func run(_ mutation: SyncBody.Mutation, at place: Int) throws -> MutationResult {
        if let outcome = outcomes[mutation.key], MutationDigest.matches(outcome.digest, mutation) {
            return try replay(outcome, of: mutation)
        }
        let head = writer.history.head
        let result: MutationResult
        do {
            result = try carryOut(mutation, patches[place])
        } catch let problem as ServerProblem where problem.kind != .unavailable {
            // A refusal after the first change would be kept half done.
            guard writer.history.head == head else {
                throw ServerProblem(.internal, "a mutation failed halfway, and nothing was done: \(problem.detail)")
            }
            result = MutationResult(key: mutation.key, outcome: .rejected, problem: problem)
        }
        if result.outcome == .accepted {
            told[mutation.record] = result.revision
            let outcome = KeptOutcome(
                key: mutation.key, digest: mutation.digest, revision: result.revision, at: writer.now)
            outcomes[mutation.key] = outcome
            writer.keep(outcome)
        }
        return result
    }

    /// The answer of then. What the record has become since comes with the changes.
    private func replay(_ outcome: KeptOutcome, of mutation: SyncBody.Mutation) throws -> MutationResult {
        let present = try writer.record(mutation.record)
        let record = present?.revision == outcome.revision ? present : nil
        var result = MutationResult(key: mutation.key, outcome: .accepted, revision: outcome.revision, isReplayed: true)
        // A copy of the device's store may have made an edit over another version than the device has.
        if case .update? = try? mutation.change.get() { result.record = record } else { result.server = record }
        return result
    }

    private func carryOut(_ mutation: SyncBody.Mutation, _ patch: AppliedPatch?) throws -> MutationResult {
        let kind = try writer.catalog.kind(mutation.record.entityType)
        let standing = try writer.standing(of: mutation.record)
        let present = standing?.live
        var tombstone: Int64 = 0
        if present == nil, case .own(let record)? = standing { tombstone = record.revision }
        let change = try mutation.change.get()
        if case .create(let prepared) = change {
            // Another user's record is never told apart from none, nor taken over.
            if standing == .foreign { throw ServerProblem.field("id", "cannot be used; make a new one") }
            if let present { return MutationResult(key: mutation.key, outcome: .exists, showing: present) }
            if tombstone != 0, tombstone != mutation.base {
                return MutationResult(key: mutation.key, outcome: .deleted, revision: tombstone)
            }
            return try create(prepared, mutation, kind)
        }
        guard let present else { return MutationResult(key: mutation.key, outcome: .deleted, revision: tombstone) }
        guard present.revision == mutation.base else {
            return MutationResult(key: mutation.key, outcome: .stale, showing: present)
        }
        if case .update(let fields) = change { return try update(present, by: fields, patch, mutation, kind) }
        // A child may have an edit that this device has not seen. Its author would not learn of the deletion as a conflict.
        let isSeen = try writer.dependents(of: mutation.record).allSatisfy {
            $0.revision <= seen || told[$0.key] != nil
        }
        guard isSeen else { return MutationResult(key: mutation.key, outcome: .stale, showing: present) }
        try writer.delete(mutation.record)
        return MutationResult(key: mutation.key, outcome: .accepted, revision: writer.history.head)
    }

    private func create(
        _ prepared: PreparedRecord, _ mutation: SyncBody.Mutation, _ kind: RecordKind
    ) throws -> MutationResult {
        // The time in an id is a hint of the order, and no matter of the exchange.
        try writer.checkId(prepared.id)
        let orphaned = try writer.missingParents(of: prepared, kind)
        if !orphaned.isEmpty { return MutationResult(key: mutation.key, blockedBy: orphaned) }
        // The other record that has the natural key, or by which servers recognise the new one.
        for key in prepared.index.uniqueKeys(of: kind.entityType) {
            guard let id = try writer.holder(of: key), let other = try writer.record(RecordKey(kind.entityType, id))
            else { continue }
            return MutationResult(key: mutation.key, outcome: .duplicate, showing: other)
        }
        return answer(try writer.insert(prepared, mutation.record), to: mutation, isAsSent: prepared.isAsSent)
    }

    private func update(
        _ present: StoredRecord, by fields: [String: JSONValue], _ patch: AppliedPatch?,
        _ mutation: SyncBody.Mutation, _ kind: RecordKind
    ) throws -> MutationResult {
        let merged =
            try (patch?.document == present.document ? patch : nil)?.result.get()
            ?? kind.codec.patched(present.document ?? Data(), by: fields, mergesMaps: true)
        let orphaned = try writer.missingParents(of: merged, kind)
        if !orphaned.isEmpty { return MutationResult(key: mutation.key, blockedBy: orphaned) }
        try writer.check(merged, kind, over: present)
        return answer(try writer.replace(present, by: merged, kind), to: mutation, isAsSent: merged.isAsSent)
    }

    private func answer(_ record: StoredRecord, to mutation: SyncBody.Mutation, isAsSent: Bool) -> MutationResult {
        isAsSent
            ? MutationResult(key: mutation.key, outcome: .accepted, revision: record.revision, server: record)
            : MutationResult(key: mutation.key, outcome: .accepted, showing: record)
    }
}
