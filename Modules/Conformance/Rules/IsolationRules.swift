import TrendyDomain

extension ConformanceRule {
    /// That one user's records are nothing to another.
    static let isolationRules: [ConformanceRule] = [
        ConformanceRule(
            .isolation, "reading", "A record of another user is answered as one that does not exist.", .ids
        ) { probe in
            let ben = try await probe.ben()
            for path in try await onePerKind(probe) {
                try await probe.ann.get(path).demand(200)
                try probe.demandProblem(try await ben.get(path), 404, "not_found")
            }
        },
        ConformanceRule(
            .isolation, "writing", "A record of another user can be neither changed nor deleted.", .ids
        ) { probe in
            let ben = try await probe.ben()
            for path in try await onePerKind(probe) {
                let before = try await probe.ann.get(path).demand(200).json
                for answer in [try await ben.put(path, ["name": "mine", "notes": "mine"]), try await ben.delete(path)] {
                    if answer.status == 500 {
                        probe.deviates(.goneIsServerError, "\(answer.name) of another's record is answered 500", answer)
                    } else {
                        try probe.demandProblem(answer, 404, "not_found")
                    }
                    let after = try await probe.ann.get(path).demand(
                        200, because: "another user asked for its deletion")
                    try after.demand(after.json.isSame(as: before), "another user has changed the record")
                }
            }
        },
        ConformanceRule(
            .isolation, "ids-are-not-taken", "A POST with another user's id is 404 and never takes the record over.",
            .ids
        ) { probe in try await checkTakingOver(probe) },
        ConformanceRule(
            .isolation, "parents",
            "A record can neither be made beneath another user's event type, alone or in a batch, nor moved there.",
            .ids
        ) { probe in try await checkParents(probe) },
        ConformanceRule(
            .isolation, "lists-and-feeds", "Lists and feeds have a user's own records only.", .ids
        ) { probe in try await checkLists(probe) },
        ConformanceRule(
            .isolation, "keys", "An idempotency key of one user means nothing for another.", .keys
        ) { probe in
            let ben = try await probe.ben()
            let key = probe.id()
            let (hers, his) = (probe.geofence(probe.id()), probe.geofence(probe.id()))
            try await probe.ann.post("/geofences", hers, key: key).demand(201)
            let answer = try await ben.post("/geofences", his, key: key).demand(201)
            try answer.demand("id", is: his["id"])
            try answer.demand(!answer.isReplay, "another user's answer was replayed")
        },
    ]

    private static func onePerKind(_ probe: Probe) async throws -> [String] {
        let (type, place) = try await makePlaces(probe)
        let property = probe.property(probe.id(), of: type)
        try await probe.ann.post("/event-types/\(type)/properties", property).demand(201)
        let event = try await probe.makeEvent(type)
        return [
            "/events/\(event)", "/property-definitions/\(property["id"].stringValue ?? "")", "/geofences/\(place)",
            "/event-types/\(type)",
        ]
    }

    private static func checkParents(_ probe: Probe) async throws {
        let ben = try await probe.ben()
        let (hers, his) = (try await probe.makeType(), try await probe.makeType(for: ben))
        let event = probe.event(his)
        try await ben.post("/events", event).demand(201)
        let item = "/events/\(event["id"].stringValue ?? "")"
        let place = probe.geofence(probe.id())
        try await ben.post("/geofences", place).demand(201)
        let placeItem = "/geofences/\(place["id"].stringValue ?? "")"
        let properties = "/event-types/\(hers)/properties"
        let entry: [String: JSONValue] = ["event_type_entry_id": .string(hers)]
        let attempts: [(String, Answer)] = [
            ("an event beneath another's type", try await ben.post("/events", probe.event(hers))),
            ("a batch beneath another's type", try await ben.post("/events/batch", ["events": [probe.event(hers)]])),
            ("moving an event there", try await ben.put(item, ["event_type_id": .string(hers)])),
            (
                "a property beneath another's type",
                try await ben.post(properties, probe.property(probe.id(), of: hers))
            ),
            (
                "a geofence of another's type",
                try await ben.post("/geofences", probe.geofence(probe.id()).merging(entry))
            ),
            ("giving a geofence another's type", try await ben.put(placeItem, .object(entry))),
        ]
        for (what, answer) in attempts {
            try answer.demand((400..<500).contains(answer.status), "\(what) is answered \(answer.status)")
        }
        try await ben.get(item).demand(200).demand("event_type_id", is: .string(his))
        try await ben.get(placeItem).demand(200).demand("event_type_entry_id", is: nil)
        try await ben.get(properties).demand(404)
    }

    private static func checkTakingOver(_ probe: Probe) async throws {
        let ben = try await probe.ben()
        let (type, place) = try await makePlaces(probe)
        let event = try await probe.makeEvent(type)
        let bensType = try await probe.makeType(for: ben)
        let attempts: [(String, String, JSONValue)] = [
            ("/events", event, probe.event(bensType, ["id": .string(event)])),
            ("/geofences", place, probe.geofence(place)), ("/event-types", type, probe.type(type, name: "stolen")),
        ]
        for (list, id, body) in attempts {
            let item = "\(list)/\(id)"
            let before = try await probe.ann.get(item).demand(200).json
            let answer = try await ben.post(list, body)
            if isDuplicateKey(answer), list == "/event-types" {
                probe.deviates(.typesArePlainInserts, "a type with another user's id is answered 500", answer)
            } else {
                try probe.demandProblem(answer, 404, "not_found")
            }
            let after = try await probe.ann.get(item).demand(200, because: "another user has posted its id")
            try after.demand(after.json.isSame(as: before), "another user has taken the record over")
            try await ben.get(item).demand(404)
        }
        let batch = probe.event(bensType, ["id": .string(event)])
        let answer = try await ben.post("/events/batch", ["events": [batch]])
        try answer.demand(!answer.isSuccess, "a batch with another user's id is answered \(answer.status)")
        try await probe.ann.get("/events/\(event)").demand(200)
    }

    private static func checkLists(_ probe: Probe) async throws {
        let ben = try await probe.ben()
        let cursor = try await ben.get("/changes/latest-cursor").demand(200).integer("cursor")
        let (type, place) = try await makePlaces(probe)
        let event = try await probe.makeEvent(type)
        for (list, id) in [("/events?limit=1000", event), ("/geofences", place), ("/event-types", type)] {
            let answer = try await ben.get(list).demand(200)
            try answer.list()
            try answer.demand(!answer.ids.contains(id), "another user's record is listed")
        }
        let page = try await ben.get("/changes?since=\(cursor)&limit=500").demand(200)
        let seen = page["changes"].elements.compactMap { $0["entity_id"].stringValue }
        try page.demand(!seen.contains { [event, place, type].contains($0) }, "another user's change is in the feed")
    }
}
