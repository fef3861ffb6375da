import TrendyDomain

/// Tells answers that are about what was asked from those that are about another record, as a proxy or a server that
/// mixes its answers up gives them. Such an answer says nothing: what was sent may have been taken or not.
struct AnswerCheck<Entity: SyncEntity> {
    let cycle: SyncCycle

    /// Takes an answer about one record for a failure of the server where it is about another one.
    func requireId(_ id: String, in answer: Result<Remote<Entity>, Refusal>) -> Result<Remote<Entity>, Refusal> {
        answer.flatMap { Self.isSame($0.id, id) ? .success($0) : .failure(Self.mixedUp(id, $0.id)) }
    }

    /// The record of an id as the server has it; nil where it has none.
    func get(_ id: String) async throws -> Result<Remote<Entity>?, Refusal> {
        try await cycle.look(Entity.self, id).flatMap { found in
            guard let found, !Self.isSame(found.id, id) else { return .success(found) }
            return .failure(Self.mixedUp(id, found.id))
        }
    }

    /// Takes the answer to a create for a failure of the server where it is about a record that is another one.
    func requireSame(_ entity: Entity, in answer: Result<Remote<Entity>, Refusal>) throws
        -> Result<Remote<Entity>, Refusal>
    {
        guard case .success(let remote) = answer else { return answer }
        let isSame = try cycle.read { try mayStand(remote, for: entity, in: $0) }
        return isSame ? answer : .failure(Self.mixedUp(entity.id, remote.id))
    }

    /// Whether the answered record can be the one that a server keeps for a new one: it has the new one's id, or is
    /// not known to be another. A record that is here beside the new one is, unless servers recognise both as one.
    func mayStand(_ remote: Remote<Entity>, for entity: Entity, in store: any DataStoreProtocol) throws -> Bool {
        if remote.id == entity.id { return true }
        guard let known = try store.find(Entity.self, id: remote.id) else {
            return try !wasGivenUp(remote.id, in: store)
        }
        let (ours, theirs) = (try WireCoding.fields(of: entity), try WireCoding.fields(of: known.entity))
        let named = Entity.recognitionKey.filter { ours[$0] ?? .null != .null }
        if !named.isEmpty, named.allSatisfy({ ours[$0] == theirs[$0] }) { return true }
        return Entity.fields.allSatisfy { $0 == "id" || ours[$0] == theirs[$0] }
    }

    /// Whether the creation of a record was given up here: a server that repeats the answer to a batch speaks of it yet.
    private func wasGivenUp(_ id: String, in store: any DataStoreProtocol) throws -> Bool {
        let query = MutationQuery(
            states: [.dropped], entityType: Entity.entityType, operations: [.create], entityId: id)
        return try store.countMutations(query) > 0
    }

    /// Some servers write ids in capitals: RFC 9562 has readers of UUIDs ignore case.
    private static func isSame(_ answered: String, _ asked: String) -> Bool {
        answered == asked || answered.lowercased() == asked.lowercased()
    }

    private static func mixedUp(_ asked: String, _ answered: String) -> Refusal {
        let error = APIError.malformedResponse("it is about \(answered), and \(asked) was asked for")
        return Refusal(status: 502, problem: ProblemDetails(status: 502, detail: error.description), error: error)
    }
}
