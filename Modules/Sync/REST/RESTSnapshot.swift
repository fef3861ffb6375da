import TrendyDomain

/// Tells what the listings show: all of it in a snapshot, and what the device does not have so in a check.
struct RESTSnapshot {
    let exchange: RESTExchange
    private let listing: RESTListing

    init(_ exchange: RESTExchange) {
        self.exchange = exchange
        listing = RESTListing(exchange)
    }

    /// Tells the next part of a snapshot. Answers the place of the one after it; nil where it is through.
    ///
    /// What a request has shown stays told, and the place stays noted, where a later one fails.
    func tellAll(within requests: Int) async throws {
        try await go(through: \.snapshot, within: requests) { kind, page in
            let known = try exchange.known(kind.entityType, page.documents.compactMap { $0["id"]?.stringValue })
            for document in page.documents {
                guard let id = document["id"]?.stringValue, let canonical = kind.canonical(document) else { continue }
                exchange.observe(kind, id, canonical, over: known[id])
            }
        }
    }

    /// Compares the next part of the listings with what the device has, to find what has no entry in the feed.
    func check(within requests: Int) async throws {
        try await go(through: \.check, within: requests) { kind, page in
            let known = try exchange.known(kind.entityType, page.documents.compactMap { $0["id"]?.stringValue })
            for listed in page.documents {
                guard let id = listed["id"]?.stringValue, let document = kind.canonical(listed),
                    exchange.observed[RecordKey(entityType: kind.entityType, entityId: id)] == nil
                else { continue }
                if let there = known[id]?.document, kind.isSame(there, document) { continue }
                try await compare(kind, id, known[id])
            }
        }
    }

    /// The listing may be older than what the device has: what is there now is the truth.
    private func compare(_ kind: RESTKind, _ id: String, _ known: KnownVersion?) async throws {
        guard case .success(.some(let now)) = try await exchange.look(kind, id) else { return }
        if let there = known?.document, kind.isSame(there, now) { return }
        exchange.observe(kind, id, now, over: known)
    }

    private func go(
        through path: WritableKeyPath<RESTCursor, ListingPlace?>, within requests: Int,
        _ tell: (RESTKind, RESTRecords.Page) async throws -> Void
    ) async throws {
        let limit = exchange.requests + requests
        while var place = exchange.cursor[keyPath: path], !exchange.isFull, exchange.requests < limit {
            guard let (kind, page) = try await listing.next(&place) else {
                exchange.cursor[keyPath: path] = nil
                return
            }
            try await tell(kind, page)
            for element in page.unusable { handOn(kind, element) }
            exchange.cursor[keyPath: path] = place
        }
    }

    /// What is no record is handed on under its id, or under a name made of what it holds.
    private func handOn(_ kind: RESTKind, _ element: JSONValue) {
        let id = element.objectValue?["id"]?.stringValue ?? "listed-\(RESTRecords.Page.hash(element))"
        exchange.handOn(kind.entityType, id, element)
    }
}
