import TrendyDomain

extension ConformanceRule {
    /// The exchange of revisions. No rule gives the account's history another name: its devices would take all anew.
    static let exchangeRules: [ConformanceRule] = [
        ConformanceRule(
            .exchange, "both-ways",
            "One request carries out mutations and answers with what others have changed, and with that alone.",
            .exchange, check: checkBothWays),
        ConformanceRule(
            .exchange, "stale", "What did not begin from the present version is stale or exists, and changes nothing.",
            .exchange, check: checkStale),
        ConformanceRule(
            .exchange, "deleted", "What has a tombstone is deleted, for all but a create that begins from it.",
            .exchange, check: checkDeleted),
        ConformanceRule(
            .exchange, "refused",
            "Duplicates, wrong fields and missing parents are told, and hold back no other mutation.",
            .exchange, check: checkRefused),
        ConformanceRule(
            .exchange, "names",
            "Names that differ in case, form or blanks alone are one name, and each is kept as it was written.",
            .exchange, check: checkNames),
        ConformanceRule(
            .exchange, "replay", "A mutation that comes again with its key has no second effect.", .exchange,
            check: checkReplay),
        ConformanceRule(
            .exchange, "one-payload",
            "A key that comes with another operation or other data is no repetition: the base decides.", .exchange,
            check: checkOnePayload),
        ConformanceRule(
            .exchange, "maps", "A patch changes the keys of an event's properties one by one.", .exchange,
            check: checkMaps),
        ConformanceRule(
            .exchange, "cascades",
            "A deletion takes along what belongs to it and tells of it, but nothing that the device has not seen.",
            .exchange, check: checkCascades),
        ConformanceRule(
            .exchange, "snapshot", "Without a cursor every record comes once, in pages, the kinds of parents first.",
            .exchange, check: checkSnapshot),
        ConformanceRule(
            .exchange, "refusals",
            "Another history is 409 and more than 2,000 mutations are 413; nothing is done then.",
            .exchange, check: checkRefusals),
    ]

    private static func checkBothWays(_ probe: Probe) async throws {
        guard var talk = try await ExchangeTalk(probe) else { return }
        try await talk.catchUp()
        let type = try await probe.makeType()
        let (theirs, ours) = (try await probe.makeEvent(type), probe.event(type))
        let answer = try await talk.exchange([talk.create(.event, ours)])
        try answer.demand(.accepted, because: "its type is there")
        let head = try answer.integer("head")
        try answer.demand(
            answer.revision == head, "the latest change has revision \(answer.revision), the head is \(head)")
        try answer.demand(answer.result["server"]["updated_at"].stringValue != nil, "the result has no server fields")
        let changes = answer["changes"].elements
        try answer.demand(
            changes.map { $0["entity_id"] } == [.string(type), .string(theirs)], "the changes are others")
        for (change, path) in zip(changes, ["/event-types/\(type)", "/events/\(theirs)"]) {
            try await probe.ann.get(path).demand(200).demandSame(change["record"], in: answer, "the change of \(path)")
        }
        let last = try await talk.exchange()
        try last.demand(last["changes"].elements.isEmpty, "what was told comes again")
    }

    private static func checkStale(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let (type, theirs) = (probe.type(probe.id()), probe.name("theirs"))
        let id = type["id"].stringValue ?? ""
        let base = try await talk.send(talk.create(.eventType, type), is: .accepted, because: "it is new").revision
        try await probe.ann.put("/event-types/\(id)", ["name": .string(theirs)]).demand(200)
        let late: [(JSONValue, SyncOutcome)] = [
            (talk.update(.eventType, id, base: base, ["name": .string(probe.name("ours"))]), .stale),
            (talk.delete(.eventType, id, base: base), .stale), (talk.create(.eventType, type), .exists),
        ]
        for (mutation, outcome) in late {
            let answer = try await talk.send(mutation, is: outcome, because: "another request has changed it")
            let isShown = answer.result["record"]["name"] == .string(theirs)
            try answer.demand(isShown && answer.revision > base, "the result does not show the present version")
        }
        try await probe.ann.get("/event-types/\(id)").demand(200).demand("name", is: .string(theirs))
    }

    private static func checkDeleted(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let event = probe.event(try await probe.makeType())
        let id = event["id"].stringValue ?? ""
        let made = try await talk.send(talk.create(.event, event), is: .accepted, because: "it is new").revision
        let gone = try await talk.send(
            talk.delete(.event, id, base: made), is: .accepted, because: "nobody has changed it"
        ).revision
        for mutation in [
            talk.update(.event, id, base: made, ["notes": "late"]), talk.delete(.event, id, base: made),
            talk.create(.event, event),
        ] {
            let answer = try await talk.send(mutation, is: .deleted, because: "it has a tombstone")
            try answer.demand(answer.revision == gone, "the tombstone has revision \(gone), not \(answer.revision)")
        }
        try await talk.send(
            talk.create(.event, event, base: gone), is: .accepted, because: "it begins from the tombstone")
        let former = talk.update(.event, id, base: made, ["notes": "late"])
        let answer = try await talk.send(former, is: .stale, because: "it is of a former life")
        let created = answer.result["created_revision"].integerValue ?? 0
        try answer.demand(created > gone, "created_revision is \(created) after a tombstone of \(gone)")
    }

    private static func checkRefused(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let type = probe.type(probe.id())
        try await talk.send(talk.create(.eventType, type), is: .accepted, because: "it is new")
        let sent = [
            talk.create(.eventType, type.merging(["id": .string(probe.id())])),
            talk.create(.eventType, probe.type(probe.id()).merging(["name": ""])),
            talk.update(.eventType, type["id"].stringValue ?? "", base: 0, ["shade": "dark"]),
            talk.create(.event, probe.event(probe.id())),
            talk.create(.event, probe.event(type["id"].stringValue ?? "")),
        ]
        let answer = try await talk.post(sent).demand(200)
        try answer.demand(
            .duplicate, .rejected, .rejected, .blocked, .accepted,
            because: "a name that is taken, a blank one, an unknown field, a missing type, and an event in order")
        let results = answer["results"].elements
        try answer.demand(results[0]["record"]["id"] == type["id"], "the duplicate does not show the other record")
        for (result, field) in zip(results[1...3], ["name", "shade", "event_type_id"]) {
            try answer.demand(
                result["errors"].elements.map { $0["field"] } == [.string(field)], "\(field) is not named")
        }
    }

    private static func checkOnePayload(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let event = probe.event(try await probe.makeType())
        let id = event["id"].stringValue ?? ""
        let create = talk.create(.event, event)
        let made = try await talk.send(create, is: .accepted, because: "it is new").revision
        let update = talk.update(.event, id, base: made, ["notes": .string(probe.name("first"))])
        try await talk.send(update, is: .accepted, because: "it has the present base")
        let joined = talk.create(.event, event.merging(["notes": .string(probe.name("joined"))]))
        let others: [(JSONValue, JSONValue, SyncOutcome)] = [
            (joined, create, .exists),
            (talk.update(.event, id, base: made, ["notes": .string(probe.name("second"))]), update, .stale),
            (talk.delete(.event, id, base: made), update, .stale),
        ]
        for (other, first, outcome) in others {
            let sent = other.merging(["key": first["key"]])
            try await talk.send(sent, is: outcome, because: "its key stood for another mutation")
        }
        try await talk.send(create, is: .accepted, because: "its key stands for it still")
    }

    private static func checkNames(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let (name, type) = (probe.name("Caf\u{E9} \(probe.id().suffix(6)) Stra\u{DF}e"), probe.type(probe.id()))
        let first = type.merging(["name": .string(name)])
        let base = try await talk.send(talk.create(.eventType, first), is: .accepted, because: "it is new").revision
        let others = [
            name.uppercased(), name.replacing("\u{E9}", with: "e\u{301}"),
            "\(name.replacing(" ", with: "\u{A0}"))\u{200B} ",
        ]
        for other in others {
            let same = probe.type(probe.id()).merging(["name": .string(other)])
            let answer = try await talk.send(
                talk.create(.eventType, same), is: .duplicate, because: "another type has the name but for its spelling"
            )
            try answer.demand(answer.result["record"]["name"] == .string(name), "the duplicate is of another record")
        }
        let id = type["id"].stringValue ?? ""
        try await talk.send(
            talk.update(.eventType, id, base: base, ["name": .string(others[0])]), is: .accepted,
            because: "it is the record's own name in another spelling")
        let read = try await probe.ann.get("/event-types/\(id)").demand(200)
        try read.demand(
            read["name"].stringValue.map { Array($0.utf8) } == Array(others[0].utf8),
            "the name is not as it was written")
        let accent = type.merging(["id": .string(probe.id()), "name": .string(name.replacing("\u{E9}", with: "e"))])
        try await talk.send(talk.create(.eventType, accent), is: .accepted, because: "it lacks an accent")
    }

    private static func checkReplay(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let event = probe.event(try await probe.makeType())
        let id = event["id"].stringValue ?? ""
        let create = talk.create(.event, event)
        let made = try await talk.send(create, is: .accepted, because: "it is new").revision
        let update = talk.update(.event, id, base: made, ["notes": .string(probe.name("first"))])
        let changed = try await talk.send(update, is: .accepted, because: "it has the present base").revision
        for (mutation, revision) in [(create, made), (update, changed)] {
            let again = try await talk.send(mutation, is: .accepted, because: "it was accepted under its key")
            try again.demand(again.result["replayed"] == true, "the result is not marked as a replay")
            try again.demand(again.revision == revision, "the revision is \(again.revision), and was \(revision)")
            try again.demand(again.integer("head") == changed, "the head has grown to \(again["head"].text)")
        }
        let orphan = talk.create(.event, probe.event(probe.id()))
        for _ in 0..<2 { try await talk.send(orphan, is: .blocked, because: "refusals are not kept") }
    }

    private static func checkMaps(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let (size, sugar): (JSONValue, JSONValue) = (
            ["type": "text", "value": "small"], ["type": "boolean", "value": true]
        )
        let event = probe.event(try await probe.makeType(), ["properties": ["size": size, "sugar": sugar]])
        let id = event["id"].stringValue ?? ""
        let made = try await talk.send(talk.create(.event, event), is: .accepted, because: "it is new").revision
        let milk: JSONValue = ["type": "number", "value": 2]
        let patch: JSONValue = ["properties": ["sugar": nil, "milk": milk]]
        try await talk.send(
            talk.update(.event, id, base: made, patch), is: .accepted, because: "it has the present base")
        try await probe.ann.get("/events/\(id)").demand(200).demand("properties", is: ["size": size, "milk": milk])
    }

    private static func checkCascades(_ probe: Probe) async throws {
        guard var talk = try await ExchangeTalk(probe) else { return }
        let type = probe.type(probe.id())
        let id = type["id"].stringValue ?? ""
        let base = try await talk.send(talk.create(.eventType, type), is: .accepted, because: "it is new").revision
        try await talk.catchUp()
        let event = try await probe.makeEvent(id)
        let early = try await talk.exchange([talk.delete(.eventType, id, base: base)])
        try early.demand(.stale, because: "an event of it has come after the cursor")
        try early.demand(early["changes"].elements.map { $0["entity_id"] } == [.string(event)], "the event is not told")
        let property = probe.property(probe.id(), of: id)
        let late = try await talk.exchange([
            talk.create(.propertyDefinition, property), talk.delete(.eventType, id, base: base),
        ])
        try late.demand(.accepted, .accepted, because: "the event was told, and the property is its own")
        let gone = late["changes"].elements.filter { $0["deleted"] == true }.compactMap { $0["entity_id"].stringValue }
        let expected = [event, property["id"].stringValue ?? ""]
        try late.demand(Set(gone) == Set(expected), "the tombstones of what went along are not told, or others")
        for path in ["/events/\(event)", "/event-types/\(id)"] { try await probe.ann.get(path).demand(404) }
    }

    private static func checkSnapshot(_ probe: Probe) async throws {
        guard var talk = try await ExchangeTalk(probe) else { return }
        let type = try await probe.makeType()
        let events = try await probe.makeEvents(3, type)
        let first = try await talk.exchange(limit: 2)
        try first.demand(first["more"] == true, "a page of 2 has everything")
        // What is made meanwhile follows.
        let meanwhile = try await probe.makeEvent(type)
        let changes = try await first["changes"].elements + talk.catchUp()
        let ids = changes.compactMap { $0["entity_id"].stringValue }
        for id in events + [type] {
            try first.demand(ids.count { $0 == id } == 1, "\(id) comes \(ids.count { $0 == id }) times, not once")
        }
        try first.demand(ids.contains(meanwhile), "what was made between two pages does not come")
        let ranks = changes.filter { $0["entity_id"] != .string(meanwhile) }
            .map { EntitySchema.trendy.rank(of: EntityType(rawValue: $0["entity_type"].stringValue ?? "")) }
        try first.demand(ranks == ranks.sorted(), "the kinds do not come one after the other, parents first")
    }

    private static func checkRefusals(_ probe: Probe) async throws {
        guard let talk = try await ExchangeTalk(probe) else { return }
        let type = probe.type(probe.id())
        let (id, create) = (type["id"].stringValue ?? "", talk.create(.eventType, type))
        try probe.demandProblem(try await talk.post([create], epoch: .string("another-\(id)")), 409, "epoch_changed")
        let many = (0..<SyncRequest.mutationLimit).map { _ in talk.delete(.event, id, base: 0) }
        try probe.demandProblem(try await talk.post([create] + many), 413)
        try await probe.ann.get("/event-types/\(id)").demand(404, because: "the requests were refused as a whole")
    }
}
