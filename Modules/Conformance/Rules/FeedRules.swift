import TrendyDomain

extension ConformanceRule {
    /// The order, the completeness and the cursors of the change feed.
    static let feedRules: [ConformanceRule] = [
        ConformanceRule(
            .feed, "entries",
            "A create, an update and a delete are each an entry for who has read up to the one before, with the record as it "
                + "is then.",
            .routes
        ) { probe in try await checkEntries(probe) },
        ConformanceRule(
            .feed, "every-kind",
            "Making and changing any kind of record is in the feed, under the protocol's name of the kind, with the whole "
                + "record as it is read then.",
            .routes
        ) { probe in
            for draft in try await drafts(probe) { try await checkEntries(probe, of: draft) }
        },
        ConformanceRule(
            .feed, "since", "since leaves out what is not behind the cursor, and nothing else.", .routes
        ) { probe in try await checkSince(probe) },
        ConformanceRule(
            .feed, "pages",
            "Pages by limit have at most that many entries, say has_more rightly, and make up the feed.",
            .routes
        ) { probe in try await checkPages(probe) },
        ConformanceRule(
            .feed, "next-cursor-echo", "next_cursor echoes since when there is nothing new.", .routes
        ) { probe in
            _ = try await probe.makeType()
            let cursor = try await latest(probe)
            let page = try await probe.ann.get("/changes?since=\(cursor)").demand(200)
            // Somebody else may be at work in the account.
            guard page["changes"].elements.isEmpty else { return }
            try page.demand("next_cursor", is: .integer(cursor))
            try page.demand("has_more", is: false)
            let far = try await probe.ann.get("/changes?since=\(cursor + 1_000_000)").demand(200)
            try far.demand("next_cursor", is: .integer(cursor + 1_000_000))
        },
        ConformanceRule(
            .feed, "latest-cursor", "latest-cursor is the id of the latest entry.", .routes
        ) { probe in
            let before = try await latest(probe)
            let type = try await probe.makeType()
            let answer = try await probe.ann.get("/changes/latest-cursor").demand(200)
            let after = try answer.integer("cursor")
            let made = try await entries(probe, since: before)
            let entry = made.first { $0["entity_id"].stringValue == type }
            try answer.demand(entry != nil, "the new record is not behind the latest cursor of before")
            try answer.demand(
                after >= entry?["id"].integerValue ?? .max, "the latest cursor is before the latest entry")
            try answer.demand(
                after <= made.last?["id"].integerValue ?? 0, "the latest cursor is behind the latest entry")
        },
        ConformanceRule(
            .feed, "concurrent-writers",
            "A reader that follows the feed while several write misses nothing, and every entry comes in ascending order.",
            .routes, isRace: true
        ) { probe in try await checkConcurrentWriters(probe) },
        ConformanceRule(
            .feed, "empty", "The feed of a user without records is empty, and its latest cursor is 0.", .routes
        ) { probe in
            let ben = try await probe.ben()
            guard ben.isNew else { throw RuleNotChecked(reason: "it needs a new account; allow signing up for one") }
            let page = try await ben.get("/changes").demand(200)
            // Rules before this one may have left entries there.
            guard page["changes"].elements.isEmpty else {
                throw RuleNotChecked(reason: "the new account has been used by other rules")
            }
            try page.demand("next_cursor", is: 0)
            try page.demand("has_more", is: false)
            try await ben.get("/changes/latest-cursor").demand(200).demand("cursor", is: 0)
        },
    ]

    static func latest(_ probe: Probe) async throws -> Int64 {
        try await probe.ann.get("/changes/latest-cursor").demand(200).integer("cursor")
    }

    /// Everything behind a cursor, page by page; demands that ids ascend and the cursor never goes back.
    static func entries(_ probe: Probe, since start: Int64, limit: Int = 500) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var cursor = start
        while true {
            let page = try await page(probe, since: cursor, limit: limit)
            found += page["changes"].elements
            let next = try page.integer("next_cursor")
            if page["has_more"] != true { return found }
            try page.demand(next > cursor, "has_more is true and next_cursor stays at \(next)")
            cursor = next
        }
    }

    /// A page, and whether it keeps the rules that every page must keep.
    static func page(_ probe: Probe, since cursor: Int64, limit: Int) async throws -> Answer {
        let page = try await probe.ann.get("/changes?since=\(cursor)&limit=\(limit)").demand(200)
        guard case .array(let changes) = page["changes"] else { throw RuleBroken("changes is no array", page) }
        let ids = changes.compactMap { $0["id"].integerValue }
        try page.demand(ids.count == changes.count, "an entry has no whole number as its id")
        try page.demand(zip(ids, ids.dropFirst()).allSatisfy(<), "the ids of a page do not ascend")
        try page.demand(ids.allSatisfy { $0 > cursor }, "an entry is not behind the cursor \(cursor)")
        try page.demand(ids.count <= limit, "a page of \(limit) has \(ids.count) entries")
        try page.demand(page["has_more"].booleanValue != nil, "has_more is no boolean")
        let next = try page.integer("next_cursor")
        try page.demand(next >= cursor, "next_cursor goes back from \(cursor) to \(next)")
        try page.demand(next >= ids.last ?? cursor, "next_cursor is before the last entry of its page")
        return page
    }

    private static func checkEntries(_ probe: Probe) async throws {
        var cursor = try await latest(probe)
        let event = probe.event(try await probe.makeType())
        try await probe.ann.post("/events", event).demand(201)
        let item = "/events/\(event["id"].stringValue ?? "")"
        try await demandEntry(probe, of: item, "event", "create", since: &cursor)
        try await probe.ann.put(item, ["notes": .string(probe.name("changed"))]).demand(200)
        try await demandEntry(probe, of: item, "event", "update", since: &cursor)
        try await probe.ann.delete(item).demand(204)
        let (page, entry) = try await entry(probe, of: item, "event", "delete", since: cursor)
        try page.demand(entry["deleted_at"].stringValue.flatMap { Timestamp($0) } != nil, "there is no deleted_at")
        try page.demand(entry["data"] == .null, "the deletion holds a record")
    }

    /// Makes a record and changes it, and compares what the feed says of it with what its GET says each time.
    private static func checkEntries(_ probe: Probe, of draft: Draft) async throws {
        var cursor = try await latest(probe)
        try await probe.ann.post(draft.list, draft.body).demand(201)
        try await demandEntry(probe, of: draft.item, draft.kind, "create", since: &cursor)
        try await probe.ann.put(draft.item, .object(textChange(draft.item, probe))).demand(200)
        try await demandEntry(probe, of: draft.item, draft.kind, "update", since: &cursor)
    }

    /// Demands that the feed has one entry of a record behind a cursor, with the record as its GET shows it. The cursor
    /// then is behind that.
    private static func demandEntry(
        _ probe: Probe, of item: String, _ kind: String, _ operation: String, since cursor: inout Int64
    ) async throws {
        let (page, entry) = try await entry(probe, of: item, kind, operation, since: cursor)
        let read = try await probe.ann.get(item).demand(200)
        try read.demandSame(entry["data"], in: page, "the data of the \(operation) of \(item)")
        cursor = try page.integer("next_cursor")
    }

    private static func entry(
        _ probe: Probe, of item: String, _ kind: String, _ operation: String, since cursor: Int64
    ) async throws -> (Answer, JSONValue) {
        let page = try await page(probe, since: cursor, limit: 500)
        let mine = page["changes"].elements.filter { item.hasSuffix($0["entity_id"].stringValue ?? "/") }
        let operations = mine.compactMap { $0["operation"].stringValue }
        guard let entry = mine.first, operations == [operation] else {
            throw RuleBroken("after the \(operation) of \(item), the feed says \(operations)", page)
        }
        try page.demand(entry["entity_type"] == .string(kind), "its entity_type is not \(kind)")
        let time = entry["created_at"].stringValue.flatMap { Timestamp($0) }
        try page.demand(time != nil, "created_at is \(entry["created_at"].text)")
        return (page, entry)
    }

    private static func checkSince(_ probe: Probe) async throws {
        let cursor = try await latest(probe)
        _ = try await probe.makeEvents(5, probe.makeType())
        let all = try await entries(probe, since: cursor)
        let ids = all.compactMap { $0["id"].integerValue }
        guard ids.count >= 6 else {
            throw RuleBroken("6 changes are \(ids.count) entries", try await page(probe, since: cursor, limit: 500))
        }
        for start in [ids[0], ids[2], ids[4]] {
            let page = try await page(probe, since: start, limit: 500)
            let found = page["changes"].elements.compactMap { $0["id"].integerValue }
            let expected = ids.filter { $0 > start }
            try page.demand(found.starts(with: expected), "since=\(start) gives \(found), not \(expected)")
        }
    }

    private static func checkPages(_ probe: Probe) async throws {
        let cursor = try await latest(probe)
        let made = try await probe.makeEvents(7, probe.makeType())
        let whole = try await page(probe, since: cursor, limit: 500)
        let ids = whole["changes"].elements.compactMap { $0["id"].integerValue }
        for limit in [1, 3] {
            var paged: [Int64] = []
            var next = cursor
            while paged.count < ids.count {
                let page = try await page(probe, since: next, limit: limit)
                let found = page["changes"].elements.compactMap { $0["id"].integerValue }
                try page.demand(!found.isEmpty, "a page is empty before the end of the feed")
                paged += found
                let isLast = paged.count >= ids.count
                try page.demand(isLast || page["has_more"] == true, "has_more is false before the end of the feed")
                next = try page.integer("next_cursor")
            }
            try whole.demand(paged.starts(with: ids), "pages of \(limit) do not make up the feed")
        }
        let kept = Set(whole["changes"].elements.compactMap { $0["entity_id"].stringValue })
        try whole.demand(kept.isSuperset(of: made), "the feed lacks events of a batch")
        try whole.demand("has_more", is: false)
    }
}
