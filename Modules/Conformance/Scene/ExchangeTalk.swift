import TrendyDomain

/// A device that speaks the exchange in the account of a rule.
struct ExchangeTalk: Sendable {
    let probe: Probe
    private var epoch: JSONValue = .null
    /// The place of the latest answer; null to begin a snapshot.
    var cursor: JSONValue = .null

    /// Begins a talk; nil, and a deviation is noted, where the server has no such route.
    init?(_ probe: Probe) async throws {
        self.probe = probe
        let answer = try await probe.ann.post("/sync", ["limit": 1])
        if answer.status == 404 || answer.status == 405 {
            let reason = "POST /sync is answered \(answer.status): the server speaks the older routes alone"
            probe.deviates(.noExchange, reason, answer)
            return nil
        }
        try Self.check(answer, [], limit: 1)
        epoch = answer["epoch"]
    }

    /// Sends mutations, and makes sure that the answer keeps the rules that every answer must keep.
    @discardableResult
    mutating func exchange(_ mutations: [JSONValue] = [], limit: Int = 2_000) async throws -> Answer {
        let answer = try await post(mutations, limit: limit)
        try Self.check(answer, mutations, limit: limit)
        cursor = answer["cursor"]
        return answer
    }

    /// Sends mutations, whatever comes back.
    func post(_ mutations: [JSONValue], limit: Int = 1, epoch other: JSONValue? = nil) async throws -> Answer {
        let body: JSONValue = [
            "epoch": other ?? epoch, "cursor": cursor, "limit": .integer(Int64(limit)), "mutations": .array(mutations),
        ]
        return try await probe.ann.post("/sync", body)
    }

    /// Reads to the end, and gives all changes on the way.
    @discardableResult
    mutating func catchUp(limit: Int = 2_000) async throws -> [JSONValue] {
        var changes: [JSONValue] = []
        while true {
            let place = cursor
            let answer = try await exchange(limit: limit)
            changes += answer["changes"].elements
            if answer["more"] != true { return changes }
            try answer.demand(cursor != place, "more is true, and the cursor stays \(place.text)")
        }
    }

    /// Sends one mutation without a place, and demands its outcome.
    @discardableResult
    func send(_ mutation: JSONValue, is outcome: SyncOutcome, because reason: String) async throws -> Answer {
        var begin = self
        begin.cursor = .null
        let answer = try await begin.exchange([mutation], limit: 1)
        try answer.demand(outcome, because: reason)
        return answer
    }

    private static func check(_ answer: Answer, _ mutations: [JSONValue], limit: Int) throws {
        try answer.demand(200)
        try answer.demand(!answer.string("epoch").isEmpty && !answer.string("cursor").isEmpty, "a name is empty")
        try answer.demand(answer["more"].booleanValue != nil, "more is no boolean")
        let head = try answer.integer("head")
        let keys = answer["results"].elements.map { $0["key"] }
        try answer.demand(keys == mutations.map { $0["key"] }, "the results do not answer the mutations in their order")
        guard case .array(let changes) = answer["changes"] else { throw RuleBroken("changes is no array", answer) }
        try answer.demand(changes.count <= limit, "a page of \(limit) has \(changes.count) changes")
        for change in changes {
            let isNamed = change["entity_type"].stringValue != nil && change["entity_id"].stringValue != nil
            try answer.demand(isNamed, "a change names no record")
            let revision = change["revision"].integerValue ?? .max
            try answer.demand(revision <= head, "a change has no revision, or one beyond the head")
            let isEither = (change["record"].objectValue != nil) != (change["deleted"] == true)
            try answer.demand(isEither, "a change has neither a record nor deleted: true, or both")
        }
    }

    // MARK: Mutations

    func create(_ type: EntityType, _ record: JSONValue, base: Int64 = 0) -> JSONValue {
        mutation(type, .create, record["id"].stringValue ?? "", base, record)
    }

    func update(_ type: EntityType, _ id: String, base: Int64, _ patch: JSONValue) -> JSONValue {
        mutation(type, .update, id, base, patch)
    }

    func delete(_ type: EntityType, _ id: String, base: Int64) -> JSONValue {
        mutation(type, .delete, id, base, .null)
    }

    private func mutation(
        _ type: EntityType, _ operation: MutationOperation, _ id: String, _ base: Int64, _ data: JSONValue
    ) -> JSONValue {
        [
            "key": .string(probe.id()), "entity_type": .string(type.rawValue),
            "operation": .string(operation.rawValue), "entity_id": .string(id), "base": .integer(base), "data": data,
        ]
    }
}

extension Answer {
    /// The result of the first mutation.
    var result: JSONValue { self["results"].elements.first ?? .null }

    /// The revision of the first mutation's result.
    var revision: Int64 { result["revision"].integerValue ?? -1 }

    /// Demands these outcomes, in that order.
    func demand(_ outcomes: SyncOutcome..., because reason: String) throws {
        let found = self["results"].elements.map { $0["outcome"].stringValue ?? "nothing" }
        let wanted = outcomes.map(\.rawValue)
        try demand(
            found == wanted,
            "the outcome is \(found.joined(separator: ", ")), not \(wanted.joined(separator: ", ")): \(reason)")
    }
}
