import TrendyDomain

extension ConformanceRule {
    /// How much a client may ask for at once.
    static let limitRules: [ConformanceRule] = [
        ConformanceRule(
            .limits, "batch-size", "A batch has 1 to 500 events; an empty or larger one is refused as a whole.", .routes
        ) { probe in
            let type = try await probe.makeType()
            try probe.demandProblem(try await probe.ann.post("/events/batch", ["events": []]), 400)
            let events = (0..<501).map { _ in probe.event(type) }
            let refused = try await probe.ann.post("/events/batch", ["events": .array(events)])
            try probe.demandProblem(refused, 400)
            try await probe.ann.get("/events/\(events[0]["id"].stringValue ?? "")").demand(404)
            let taken = try await probe.ann.post("/events/batch", ["events": .array(Array(events.prefix(500)))])
            try taken.demand(201).demand("success", is: 500)
        },
        ConformanceRule(
            .limits, "list-page", "GET /events lists 50 events where no limit is given, and never more than 1000.",
            .routes
        ) { probe in
            _ = try await probe.makeEvents(1001, probe.makeType())
            let standard = try await probe.ann.get("/events").demand(200)
            let count = try standard.list().count
            try standard.demand(count == 50, "without a limit \(count) events are listed, not 50")
            for (limit, expected) in [(1, 1), (1000, 1000)] {
                let answer = try await probe.ann.get("/events?limit=\(limit)").demand(200)
                let count = try answer.list().count
                try answer.demand(count == expected, "limit=\(limit) lists \(count) events")
            }
            let more = try await probe.ann.get("/events?limit=1001").demand(200, 400)
            try more.demand(more.elements.count <= 1000, "limit=1001 lists \(more.elements.count) events")
        },
        ConformanceRule(
            .limits, "feed-page",
            "A page of the feed has 100 entries where no limit is given, and never more than 500.",
            .routes
        ) { probe in
            let cursor = try await latest(probe)
            _ = try await probe.makeEvents(501, probe.makeType())
            let standard = try await probe.ann.get("/changes?since=\(cursor)").demand(200)
            let count = standard["changes"].elements.count
            try standard.demand(count == 100, "without a limit a page has \(count) entries, not 100")
            try standard.demand("has_more", is: true)
            let most = try await probe.ann.get("/changes?since=\(cursor)&limit=500").demand(200)
            try most.demand(most["changes"].elements.count == 500, "limit=500 has \(most["changes"].elements.count)")
            let more = try await probe.ann.get("/changes?since=\(cursor)&limit=501").demand(200, 400)
            try more.demand(
                more["changes"].elements.count <= 500, "a page has \(more["changes"].elements.count) entries")
        },
        ConformanceRule(
            .limits, "body-size", "A body has at most 1 MiB, that of a batch 5 MiB; larger ones are 413.", .limits
        ) { probe in try await checkBodySize(probe) },
        ConformanceRule(
            .limits, "future-ids", "An id may be one minute ahead of the server's clock, not more.", .ids
        ) { probe in try await checkFutureIds(probe) },
        ConformanceRule(
            .limits, "requests-per-minute",
            "300 requests a minute are let in, one more is 429 with Retry-After; who waits so long is let in again.",
            .limits, isPatient: true
        ) { probe in try await checkRequestsPerMinute(probe) },
    ]

    private static func checkBodySize(_ probe: Probe) async throws {
        let type = try await probe.makeType()
        func padding(_ size: Int) -> JSONValue { .string(String(repeating: "x", count: size)) }
        let mebibyte = 1 << 20
        let fits = probe.event(type, ["padding": padding(mebibyte - 2000)])
        try await probe.ann.post("/events", fits).demand(201)
        let event = probe.event(type, ["padding": padding(mebibyte + 1)])
        try probe.demandProblem(try await probe.ann.post("/events", event), 413)
        try await probe.ann.get("/events/\(event["id"].stringValue ?? "")").demand(404)
        let large: JSONValue = ["events": [probe.event(type)], "padding": padding(5 * mebibyte - 2000)]
        try await probe.ann.post("/events/batch", large).demand(201)
        let tooLarge: JSONValue = ["events": [probe.event(type)], "padding": padding(5 * mebibyte + 1)]
        try probe.demandProblem(try await probe.ann.post("/events/batch", tooLarge), 413)
    }

    private static func checkFutureIds(_ probe: Probe) async throws {
        let type = try await probe.makeType()
        let made = try await probe.ann.get("/event-types/\(type)").demand(200)
        // The server's clock counts, not that of this machine.
        guard let now = made["created_at"].stringValue.flatMap({ Timestamp($0) }) else {
            throw RuleBroken("created_at is no time", made)
        }
        for (seconds, isTaken) in [(30, true), (180, false)] {
            let time = now.advanced(bySeconds: Double(seconds)).milliseconds
            let base = UUIDv7(probe.id())
            let id = UUIDv7(milliseconds: UInt64(max(0, time)), randomHigh: 1, randomLow: base?.low ?? 1).description
            let answer = try await probe.ann.post("/events", probe.event(type, ["id": .string(id)]))
            if isTaken { try answer.demand(201) } else { try probe.demandProblem(answer, 400, "future_timestamp") }
        }
    }
}
