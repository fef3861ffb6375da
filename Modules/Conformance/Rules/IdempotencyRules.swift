import TrendyDomain

extension ConformanceRule {
    /// What an idempotency key promises.
    static let idempotencyRules: [ConformanceRule] = [
        ConformanceRule(
            .idempotency, "post-replay",
            "A POST of any kind that comes again with its key gets its first answer, marked as a replay.",
            .keys
        ) { probe in
            for draft in try await drafts(probe) {
                let key = probe.id()
                let cursor = try await latest(probe)
                let first = try await probe.ann.post(draft.list, draft.body, key: key).demand(201)
                let again = try await probe.ann.post(draft.list, draft.body, key: key)
                try demandReplay(again, of: first)
                let count = try await entries(probe, since: cursor).count { $0["entity_id"] == draft.body["id"] }
                try again.demand(count == 1, "the replay is in the feed: \(count) entries for one change")
            }
        },
        ConformanceRule(
            .idempotency, "put-replay",
            "A PUT of any kind that comes again with its key changes nothing a second time.",
            .keys
        ) { probe in
            try await eachKind(probe) { path, _ in
                let change = JSONValue.object(textChange(path, probe))
                let later = textChange(path, probe)
                let key = probe.id()
                let first = try await probe.ann.put(path, change, key: key).demand(200)
                try await probe.ann.put(path, .object(later), key: probe.id()).demand(200)
                let again = try await probe.ann.put(path, change, key: key)
                let read = try await probe.ann.get(path).demand(200)
                try demandReplay(again, of: first, or: read)
                for (field, value) in later { try read.demand(field, is: value) }
            }
        },
        ConformanceRule(
            .idempotency, "delete-replay", "A DELETE that comes again with its key gets its first answer.", .keys
        ) { probe in
            let item = "/events/\(try await probe.makeEvent(probe.makeType()))"
            let key = probe.id()
            try await probe.ann.delete(item, key: key).demand(204)
            let again = try await probe.ann.delete(item, key: key)
            if again.status == 404 || again.status == 500 {
                return probe.deviates(.deletionsHaveNoKeys, "the repeated DELETE is answered \(again.status)", again)
            }
            try again.demand(204).demand(again.isReplay, "the answer is not marked as a replay")
        },
        ConformanceRule(
            .idempotency, "batch-replay", "A batch that comes again with its key gets its first answer.", .keys
        ) { probe in
            let type = try await probe.makeType()
            let batch: JSONValue = ["events": [probe.event(type), probe.event(type)]]
            let key = probe.id()
            let first = try await probe.ann.post("/events/batch", batch, key: key).demand(201)
            let again = try await probe.ann.post("/events/batch", batch, key: key)
            if isDuplicateKey(again) {
                return probe.deviates(.batchIsAllOrNothing, "the repeated batch is answered 500", again)
            }
            if again.isSuccess, !again.isReplay {
                return probe.deviates(.batchesHaveNoKeys, "the repeated batch was carried out again", again)
            }
            try demandReplay(again, of: first)
        },
        ConformanceRule(
            .idempotency, "batch-again", "A batch that comes again without a key makes nothing twice.", .routes
        ) { probe in
            let type = try await probe.makeType()
            let (old, new) = (probe.event(type), probe.event(type))
            try await probe.ann.post("/events/batch", ["events": [old]]).demand(201)
            let again = try await probe.ann.post("/events/batch", ["events": [old, new]])
            if again.status == 500 {
                return probe.deviates(.batchIsAllOrNothing, "a batch with a known event is answered 500", again)
            }
            try again.demand(201).demand("success", is: 2)
        },
        ConformanceRule(
            .idempotency, "other-body",
            "A key that comes again with another body, in a POST or a PUT of any kind, is refused with 422.",
            .keys
        ) { probe in
            for draft in try await drafts(probe) { try await checkBinding(probe, of: draft) }
        },
        ConformanceRule(
            .idempotency, "per-route", "A key counts for its route alone: used on another one, that takes effect too.",
            .keys
        ) { probe in
            let key = probe.id()
            for draft in try await drafts(probe) where draft.kind != "property_definition" {
                let made = try await probe.ann.post(draft.list, draft.body, key: key).demand(201)
                try made.demand("id", is: draft.body["id"])
                try made.demand(!made.isReplay, "the answer of another route is replayed")
                try await probe.ann.get(draft.item).demand(200)
            }
        },
        ConformanceRule(
            .idempotency, "refusals-are-not-kept", "A key keeps 2xx answers only: what was refused can be sent again.",
            .keys
        ) { probe in
            let type = try await probe.makeType()
            let key = probe.id()
            let event = probe.event(type)
            let bad = event.merging(["source_type": "telepathy"])
            try await probe.ann.post("/events", bad, key: key).demand(400)
            try await probe.ann.post("/events", event, key: key).demand(201)
        },
        ConformanceRule(
            .idempotency, "at-once", "One request sent many times at once with one key takes effect once.", .keys,
            isRace: true
        ) { probe in try await checkAtOnce(probe) },
    ]

    /// - Parameter now: What the record has become since: a server may answer with that as well.
    static func demandReplay(_ again: Answer, of first: Answer, or now: Answer? = nil) throws {
        guard again.status == first.status else {
            throw RuleBroken("the replay is answered \(again.status), the first one \(first.status)", first, again)
        }
        if first.isJSON { try again.demandJSON() }
        guard again.json.isSame(as: first.json) || now.map({ again.json.isSame(as: $0.json) }) ?? false else {
            throw RuleBroken("the replay differs from the first answer", first, again)
        }
        try again.demand(again.isReplay, "the replay is not marked with X-Idempotency-Replayed")
    }

    private static func checkBinding(_ probe: Probe, of draft: Draft) async throws {
        let key = probe.id()
        let made = try await probe.ann.post(draft.list, draft.body, key: key).demand(201)
        let changed = draft.body.merging(textChange(draft.item, probe))
        for (what, body) in [("another body", changed), ("another record", draft.other(probe))] {
            try demandRefusal(probe, try await probe.ann.post(draft.list, body, key: key), of: what, first: made)
        }
        let read = try await probe.ann.get(draft.item).demand(200)
        for field in textChange(draft.item, probe).keys { try read.demand(field, is: draft.body[field]) }
        let (change, later) = (textChange(draft.item, probe), textChange(draft.item, probe))
        let keyOfPut = probe.id()
        let first = try await probe.ann.put(draft.item, .object(change), key: keyOfPut).demand(200)
        let again = try await probe.ann.put(draft.item, .object(later), key: keyOfPut)
        try demandRefusal(probe, again, of: "another body", first: first)
        let after = try await probe.ann.get(draft.item).demand(200)
        for (field, value) in change { try after.demand(field, is: value) }
    }

    /// Demands that a key that was used for another request is refused, or at least that nothing is written for it.
    private static func demandRefusal(
        _ probe: Probe, _ refused: Answer, of what: String, first: Answer
    ) throws {
        guard refused.isSuccess else {
            try probe.demandProblem(refused, 422)
            return
        }
        probe.deviates(
            .keysAreNotBound, "\(refused.name) with a used key and \(what) is answered \(refused.status)", refused)
        try refused.demand("id", is: first["id"])
        try refused.demand(refused.isReplay, "the key was used for a second write")
    }

    private static func checkAtOnce(_ probe: Probe) async throws {
        let event = probe.event(try await probe.makeType())
        let key = probe.id()
        let cursor = try await latest(probe)
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<6 { group.addTask { try await probe.ann.post("/events", event, key: key) } }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        for answer in answers {
            // A server may also say that the first one is still under way.
            if answer.status == 409 || answer.status == 425 || answer.status == 503 { continue }
            try answer.demand(201, 200).demand("id", is: event["id"])
        }
        guard let first = answers.first(where: { $0.status == 201 }) else {
            throw RuleBroken("none of six equal requests was answered 201", answers[0])
        }
        let made = try await entries(probe, since: cursor).filter { $0["entity_id"] == event["id"] }
        try first.demand(made.count == 1, "six equal requests have made \(made.count) entries in the feed")
    }
}
