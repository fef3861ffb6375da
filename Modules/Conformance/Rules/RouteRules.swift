import TrendyDomain

extension ConformanceRule {
    /// Each route exists and answers as the table of routes says.
    static let routeRules: [ConformanceRule] = [
        ConformanceRule(
            .routes, "health", "GET /health answers 200 and that all is well, without a token.", .routes
        ) { probe in
            let answer = try await probe.scene.send(.get, "/health").demand(200)
            try answer.demand("status", is: "ok")
        },
        ConformanceRule(
            .routes, "event-types", "Event types are made, read, listed as they are read, changed and deleted.", .routes
        ) { probe in
            let id = probe.id()
            try await wholeLife(
                probe, "/event-types", "/event-types/\(id)", probe.type(id), ["color": "#102030"])
        },
        ConformanceRule(
            .routes, "events", "Events are made, read, listed as they are read, changed and deleted.", .routes
        ) { probe in
            let event = probe.event(try await probe.makeType())
            try await wholeLife(
                probe, "/events", "/events/\(event["id"].stringValue ?? "")", event,
                ["notes": .string(probe.name("changed"))])
        },
        ConformanceRule(
            .routes, "property-definitions",
            "Property definitions are made and listed beneath their type as they are read, changed and deleted by id.",
            .routes
        ) { probe in
            let (id, type) = (probe.id(), try await probe.makeType())
            try await wholeLife(
                probe, "/event-types/\(type)/properties", "/property-definitions/\(id)", probe.property(id, of: type),
                ["display_order": 7])
        },
        ConformanceRule(
            .routes, "geofences", "Geofences are made, read, listed as they are read, changed and deleted.", .routes
        ) { probe in
            let id = probe.id()
            try await wholeLife(probe, "/geofences", "/geofences/\(id)", probe.geofence(id), ["radius": 300])
        },
        ConformanceRule(
            .routes, "active-geofences", "GET /geofences?active=true lists the active ones only.", .routes
        ) { probe in
            let (on, off) = (probe.id(), probe.id())
            for id in [on, off] { try await probe.ann.post("/geofences", probe.geofence(id)).demand(201) }
            try await probe.ann.put("/geofences/\(off)", ["is_active": false]).demand(200)
            let answer = try await probe.ann.get("/geofences?active=true").demand(200)
            try answer.list()
            try answer.demand(answer.ids.contains(on), "an active geofence is missing")
            try answer.demand(!answer.ids.contains(off), "a geofence that is not active is listed")
        },
        ConformanceRule(
            .routes, "batch", "A batch answers 201, 207 where some failed and 400 where all did, with one shape.",
            .routes
        ) { probe in try await checkBatch(probe) },
        ConformanceRule(
            .routes, "newest-first", "GET /events lists the newest timestamp first, and pages by limit and offset.",
            .routes
        ) { probe in try await checkOrder(probe) },
        ConformanceRule(
            .routes, "sync-summary",
            "GET /me/sync has counts, the latest cursor and a status, and follows what changes.", .routes
        ) { probe in
            _ = try await probe.makeType()
            let before = try await checkSummary(probe)
            _ = try await probe.makeType()
            let after = try await checkSummary(probe)
            let (cursor, last) = (try after.integer("latest_cursor"), try before.integer("latest_cursor"))
            try after.demand(cursor > last, "latest_cursor stays at \(last) after a change")
            try after.demand(total(after) > total(before), "the counts do not grow with a new record")
        },
    ]

    private static func checkSummary(_ probe: Probe) async throws -> Answer {
        let answer = try await probe.ann.get("/me/sync").demand(200)
        try answer.demand(answer["counts"].objectValue != nil, "there are no counts")
        try answer.demand(answer["status"].stringValue != nil, "there is no status")
        let latest = try await latest(probe)
        let told = try answer.integer("latest_cursor")
        try answer.demand(told > 0 && told <= latest, "latest_cursor is \(told) where the feed ends at \(latest)")
        return answer
    }

    /// How many records a summary counts, of whatever kinds.
    private static func total(_ summary: Answer) -> Int64 {
        (summary["counts"].objectValue ?? [:]).values.reduce(0) { $0 + ($1.integerValue ?? 0) }
    }

    /// A record from POST to DELETE.
    private static func wholeLife(
        _ probe: Probe, _ list: String, _ item: String, _ record: JSONValue, _ change: [String: JSONValue]
    ) async throws {
        let created = try await probe.ann.post(list, record).demand(201)
        try created.demand("id", is: record["id"])
        let made = try await probe.ann.get(item).demand(200)
        try made.demand("id", is: record["id"])
        let id = record["id"].stringValue ?? ""
        let listed =
            list == "/events"
            ? try await probe.ann.readEvents { $0.ids.contains(id) } : try await probe.ann.get(list).demand(200)
        try listed.list()
        let found = listed.elements.first { $0["id"].stringValue == id }
        try listed.demand(found != nil, "the new record is not listed")
        try made.demandSame(found ?? .null, in: listed, "the listed record")
        let changed = try await probe.ann.put(item, .object(change)).demand(200)
        for (field, value) in change { try changed.demand(field, is: value) }
        let read = try await probe.ann.get(item).demand(200)
        for (field, value) in change { try read.demand(field, is: value) }
        try await probe.ann.delete(item).demand(204)
        try await probe.ann.get(item).demand(404)
    }

    private static func checkBatch(_ probe: Probe) async throws {
        let type = try await probe.makeType()
        func bad() -> JSONValue { probe.event(type, ["source_type": "telepathy"]) }
        let all = [probe.event(type), probe.event(type)]
        let whole = try await probe.ann.post("/events/batch", ["events": .array(all)]).demand(201)
        try demandCounts(whole, total: 2, failed: [])
        let ids = whole["created"].elements.compactMap { $0["id"].stringValue }
        try whole.demand(ids == all.compactMap { $0["id"].stringValue }, "created does not list what was sent")
        let some = [probe.event(type), bad(), probe.event(type)]
        let mixed = try await probe.ann.post("/events/batch", ["events": .array(some)]).demand(207)
        try demandCounts(mixed, total: 3, failed: [1])
        try await probe.ann.get("/events/\(some[2]["id"].stringValue ?? "")").demand(200)
        try await probe.ann.get("/events/\(some[1]["id"].stringValue ?? "")").demand(404)
        let none = try await probe.ann.post("/events/batch", ["events": [bad(), bad()]]).demand(400)
        try demandCounts(none, total: 2, failed: [0, 1])
    }

    private static func demandCounts(_ answer: Answer, total: Int, failed: [Int64]) throws {
        try answer.demand("total", is: .integer(Int64(total)))
        try answer.demand("failed", is: .integer(Int64(failed.count)))
        try answer.demand("success", is: .integer(Int64(total - failed.count)))
        try answer.demand(answer["created"].elements.count == total - failed.count, "created has another count")
        let errors = answer["errors"].elements
        let indexes = errors.compactMap { $0["index"].integerValue }
        try answer.demand(indexes == failed, "errors has the indexes \(indexes), not \(failed)")
        try answer.demand(errors.allSatisfy { $0["message"].stringValue != nil }, "an error has no message")
    }

    private static func checkOrder(_ probe: Probe) async throws {
        let ids = try await probe.makeEvents(6, probe.makeType())
        let answer = try await probe.ann.get("/events?limit=1000").demand(200)
        let times = try answer.list().compactMap { $0["timestamp"].stringValue }.compactMap { Timestamp($0) }
        try answer.demand(times.count == answer.ids.count, "an event has no timestamp")
        try answer.demand(times == times.sorted(by: >), "the events are not in the order of their timestamps")
        let mine = answer.ids.filter(ids.contains)
        try answer.demand(answer.ids.count == 1000 || mine == ids.reversed(), "new events are missing")
        var paged: [String] = []
        for offset in 0..<3 {
            let page = try await probe.ann.get("/events?limit=2&offset=\(offset * 2)").demand(200)
            try page.list()
            try page.demand(page.ids.count == 2, "a page of 2 has \(page.ids.count) events")
            paged += page.ids
        }
        try answer.demand(paged == Array(answer.ids.prefix(6)), "pages by limit and offset do not make up the list")
    }
}
