import Foundation
import TrendyDomain

/// Sends one mutation and draws the consequences of its answer.
struct SingleSender<Entity: SyncEntity> {
    let push: PushPhase
    /// True for the second try of a create that was refused as a duplicate.
    var duplicatesAreFinal = false
    /// True for a create that the server may have under another key: creating it again would undo what others
    /// have changed in it since.
    var looksFirst = false

    var cycle: SyncCycle { push.cycle }
    var check: AnswerCheck<Entity> { AnswerCheck(cycle: cycle) }

    /// Sends a mutation as it stands in the store by now: an answer to an earlier one of its window may have rebased
    /// it, and one that is settled meanwhile goes no more.
    func send(_ marked: PendingMutation) async throws {
        guard let mutation = try cycle.read({ try $0.findMutation(id: marked.id) }), mutation.state.isUnsent
        else { return }
        do {
            switch mutation.operation {
            case .create: try await create(mutation)
            case .update: try await update(mutation)
            case .delete: try await delete(mutation)
            }
        } catch let stop as CycleStop {
            if case .unreachable(let message) = stop {
                try settle { try $0.recordAttempt(mutation, error: message) }
            }
            throw stop
        } catch let halt as PushHalt {
            try blame(mutation, halt.refusal)
            throw halt
        } catch let refusal as Refusal {
            try blame(mutation, refusal)
        } catch let error as DecodingError {
            let reason = ParkReason(code: .unreadable, message: "its payload cannot be read: \(inWords(error))")
            try settle { try $0.park(mutation, reason, type: Entity.self) }
            try holdWhereParked(mutation)
        }
    }

    private func ask<Answer>(
        about mutation: PendingMutation, _ request: () async throws -> Answer
    ) async throws -> Result<Answer, Refusal> {
        let answer = try await cycle.send(silence: push.silence(of: [mutation]), request)
        guard case .failure(let refusal) = answer, refusal.mayBeOfAddress, let lost = try await cycle.lostAPI()
        else { return answer }
        return .failure(lost)
    }

    // MARK: Create

    private func create(_ mutation: PendingMutation) async throws {
        let request = CreateRequest(try WireCoding.decode(Entity.self, from: mutation.payload ?? Data()))
        let client = cycle.networkClient
        if looksFirst, try await !isMissing(mutation, request.entity) { return }
        let answer = try await ask(about: mutation) {
            try await client.create(request, idempotencyKey: mutation.clientRequestId)
        }
        switch try check.requireSame(request.entity, in: answer) {
        case .success(let remote):
            push.serverAnswered()
            try settle {
                try $0.accept(mutation, remote)
                try $0.complete(mutation, remote)
            }
            push.progressed(by: 1)
        case .failure(let refusal) where refusal.status == 409:
            push.serverAnswered()
            try await duplicate(mutation, request.entity, refusal)
        case .failure(let refusal) where refusal.isServerFailure:
            try await failedOnCreate(mutation, request.entity, refusal)
        case .failure(let refusal):
            try refused(mutation, refusal)
        }
    }

    /// Servers fail on a create that they have already, instead of saying so: a look tells.
    private func failedOnCreate(_ mutation: PendingMutation, _ entity: Entity, _ refusal: Refusal) async throws {
        try push.serverFailed(refusal)
        guard case .success(let found) = try await check.get(entity.id) else { return try blame(mutation, refusal) }
        push.looksWell = true
        if let found { return try arrived(mutation, found) }
        if !Entity.naturalKey.isEmpty, try await DuplicateFinder<Entity>(cycle: cycle).twin(of: entity) != nil {
            return try await duplicate(mutation, entity, refusal)
        }
        try blame(mutation, refusal)
    }

    private func duplicate(_ mutation: PendingMutation, _ entity: Entity, _ refusal: Refusal) async throws {
        if try waitsForRoom(mutation) { return }
        try await settleDuplicate(mutation, entity, refusal)
    }

    /// Whether deletions and renames that may free the name come later in the cycle, and it is tried again after them.
    private func waitsForRoom(_ mutation: PendingMutation) throws -> Bool {
        if duplicatesAreFinal { return false }
        let others = MutationQuery(
            states: [.queued, .sending], entityType: Entity.entityType, operations: [.delete, .update])
        let waiting = try cycle.read { try $0.fetchMutations(others) }
        guard waiting.contains(where: { $0.entityId != mutation.entityId }) else { return false }
        push.heldRecords.insert(RecordKey(mutation))
        push.refusedDuplicates.append(mutation)
        return true
    }

    private func settleDuplicate(_ mutation: PendingMutation, _ entity: Entity, _ refusal: Refusal) async throws {
        // What is taken may be its own id: then it did arrive, and counts before anything that a person could change.
        switch try await check.get(entity.id) {
        case .failure(let refusal): return try wait(mutation, refusal)
        case .success(let own?): return try arrived(mutation, own)
        case .success(nil): break
        }
        let finder = DuplicateFinder<Entity>(cycle: cycle)
        if let twin = try await finder.twin(of: entity) {
            return try isLeaving(twin) ? wait(mutation, refusal) : merge(mutation, entity, into: twin)
        }
        // The server has refused nothing: what the record resembled is gone, or has another name by now.
        if refusal.isServerFailure { return try blame(mutation, refusal) }
        if try await finder.mayStillCome(for: mutation) { return try wait(mutation, refusal) }
        let reason = ParkReason(code: .duplicate, message: refusal.message, fields: refusal.problem.errors ?? [])
        try settle { try $0.park(mutation, reason, type: Entity.self) }
        try holdWhereParked(mutation)
    }

    /// Whether the record is about to make room: it was deleted here, or gets another natural key.
    private func isLeaving(_ twin: Remote<Entity>) throws -> Bool {
        let open = try cycle.read { try $0.openMutations(Entity.entityType, twin.id) }
        return try open.contains { mutation in
            guard mutation.operation == .update else { return mutation.operation == .delete }
            let changes = try mutation.patch(of: Entity.self).changes
            return Entity.naturalKey.contains { changes[$0] != nil }
        }
    }

    /// Leaves it for the next cycle.
    func wait(_ mutation: PendingMutation, _ refusal: Refusal) throws {
        push.heldRecords.insert(RecordKey(mutation))
        try settle { try $0.recordAttempt(mutation, error: refusal.message) }
    }

    private func merge(_ mutation: PendingMutation, _ entity: Entity, into twin: Remote<Entity>) throws {
        push.serverAnswered()
        try cycle.write { store in
            try DuplicateFinder<Entity>(cycle: cycle).listLosses(of: entity, to: twin, in: store)
            try cycle.settler(on: store).mergeIntoExisting(mutation, twin)
        }
        push.progressed(by: 1)
    }

    // MARK: Update

    private func update(_ mutation: PendingMutation) async throws {
        let patch = try mutation.patch(of: Entity.self)
        let client = cycle.networkClient
        let id = mutation.entityId
        let answer = try await ask(about: mutation) {
            try await client.update(Entity.self, id: id, patch, idempotencyKey: mutation.clientRequestId)
        }
        switch check.requireId(id, in: answer) {
        case .success(let remote):
            // A repeated answer does not tell that the record went since, with a parent whose deletion is known here.
            if try isWithoutParent(remote.entity), try await isGone(id) { return try gone(mutation) }
            try accept(mutation, remote)
        case .failure(let refusal) where refusal.status == 404 || refusal.status == 410:
            try await notFound(mutation, refusal)
        case .failure(let refusal) where refusal.isServerFailure:
            if try await isGone(id) { return try gone(mutation) }
            try push.serverFailed(refusal)
            try blame(mutation, refusal)
        case .failure(let refusal) where refusal.status == 409:
            push.serverAnswered()
            if try waitsForRoom(mutation) { return }
            try refused(mutation, refusal, code: .duplicate)
        case .failure(let refusal):
            try refused(mutation, refusal)
        }
    }

    /// So a server answers as well that does not know the address: the record may be there all the same.
    private func notFound(_ mutation: PendingMutation, _ refusal: Refusal) async throws {
        switch try await check.get(mutation.entityId) {
        case .success(.some): try refused(mutation, refusal)
        case .failure(let other) where other.isServerFailure:
            try push.serverFailed(other)
            try blame(mutation, other)
        case .success(nil), .failure: try gone(mutation)
        }
    }

    private func isWithoutParent(_ entity: Entity) throws -> Bool {
        try cycle.read { try cycle.applier(on: $0).lacksParent(of: entity) }
    }

    /// The record was deleted elsewhere while it was edited here.
    private func gone(_ mutation: PendingMutation) throws {
        push.serverAnswered()
        try settle { try $0.recordIsGone(mutation, type: Entity.self) }
        try holdWhereParked(mutation)
    }

    /// Holds back what else there is of a record that waits for the person. Where a deletion has settled the
    /// question, that may go. What is not settled waits for the next cycle: this one would ask for ever.
    func holdWhereParked(_ mutation: PendingMutation) throws {
        let parked = MutationQuery(
            states: [.parked], entityType: mutation.entityType, entityId: mutation.entityId)
        let waits = try cycle.read { store in
            try store.countMutations(parked) > 0 || store.findMutation(id: mutation.id)?.state.isUnsent == true
        }
        if waits {
            push.heldRecords.insert(RecordKey(mutation))
        } else {
            push.hasFreed = true
        }
    }

    // MARK: Delete

    private func delete(_ mutation: PendingMutation) async throws {
        let client = cycle.networkClient
        let id = mutation.entityId
        let answer = try await ask(about: mutation) {
            try await client.delete(Entity.self, id: id, idempotencyKey: mutation.clientRequestId)
        }
        switch answer {
        case .success:
            try acceptDeletion(mutation)
        case .failure(let refusal) where refusal.status == 404 || refusal.status == 410:
            try acceptDeletion(mutation)
        case .failure(let refusal) where refusal.isServerFailure:
            if try await isGone(id) { return try acceptDeletion(mutation) }
            try push.serverFailed(refusal)
            try blame(mutation, refusal)
        case .failure(let refusal):
            try refused(mutation, refusal)
        }
    }

    private func acceptDeletion(_ mutation: PendingMutation) throws {
        push.serverAnswered()
        try settle { try $0.acceptDeletion(mutation) }
        push.progressed(by: 1)
    }

    // MARK: Consequences

    private func accept(_ mutation: PendingMutation, _ remote: Remote<Entity>) throws {
        push.serverAnswered()
        try settle { try $0.accept(mutation, remote) }
        push.progressed(by: 1)
    }

    /// The server has a record under the id of a create: it counts as that create's.
    ///
    /// One that makes a record anew may have come second, after somebody else who put it back, one that never left after
    /// another device's of the same id, and one with a new key after what its first key had in it: what the server has
    /// instead of its values is listed, so that none of them is lost.
    func arrived(_ mutation: PendingMutation, _ remote: Remote<Entity>) throws {
        push.serverAnswered()
        try cycle.write { store in
            let applier = cycle.applier(on: store)
            let mayBeSecond = try applier.mayDiffer(mutation) || !applier.isFirst(mutation)
            if mayBeSecond, let payload = mutation.payload {
                let entity = try WireCoding.decode(Entity.self, from: payload)
                try DuplicateFinder<Entity>(cycle: cycle).listLosses(of: entity, to: remote, in: store)
            }
            let settler = try cycle.settler(on: store)
            try settler.accept(mutation, remote)
            // Nobody has changed it since it was made: what is not there was left out.
            if !mayBeSecond, let made = remote.server.createdAt, made == remote.server.updatedAt {
                try settler.complete(mutation, remote)
            }
        }
        push.progressed(by: 1)
    }

    private func refused(_ mutation: PendingMutation, _ refusal: Refusal, code: ParkReason.Code = .rejected) throws {
        push.serverAnswered()
        // A complaint about another key before: then it is not the key.
        if refusal.concernsKey, !MutationSettler.tellsOfKey(mutation.lastError) {
            let isRenewed = try cycle.write { store in
                try cycle.settler(on: store).renewKey(of: mutation, because: refusal.message, type: Entity.self)
            }
            if !isRenewed { push.hasFreed = true }
            return
        }
        let reason = ParkReason(code: code, message: refusal.message, fields: refusal.problem.errors ?? [])
        try settle { try $0.park(mutation, reason, type: Entity.self) }
        try holdWhereParked(mutation)
    }

    /// Deployed servers answer 500 for records that are gone.
    private func isGone(_ id: String) async throws -> Bool {
        guard case .success(let found) = try await check.get(id) else { return false }
        push.looksWell = true
        return found == nil
    }

    /// The server failed on this mutation: it is tried again in the next cycle, and parked when that has
    /// happened in too many cycles that the server was well enough to finish.
    private func blame(_ mutation: PendingMutation, _ refusal: Refusal) throws {
        push.heldRecords.insert(RecordKey(mutation))
        if !refusal.isSilence { push.blamed.append((mutation, refusal)) }
        cycle.failures[mutation.id] = refusal.message
        try settle { try $0.recordAttempt(mutation, error: refusal.message) }
    }

    func settle(_ body: (MutationSettler) throws -> Void) throws {
        try cycle.write { try body(cycle.settler(on: $0)) }
    }
}
