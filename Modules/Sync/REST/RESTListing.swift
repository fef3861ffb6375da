import TrendyDomain

/// The place in the listings of all kinds.
struct ListingPlace: Codable, Hashable, Sendable {
    /// Which kind is being listed, in the schema's order.
    var kind = 0
    /// Of a kind that is listed beneath parents: the parent whose records are being listed.
    var parent: String?
    /// How many records have been shown.
    var offset = 0
    /// The last records that were shown: a page that shows one of them leaves nothing out before it.
    var tail: [UInt32] = []
    /// What the page before has shown, to notice a listing that knows nothing of offsets.
    var page: UInt32 = 0
    /// How often the listing was taken back because rows had moved up.
    var setbacks = 0
}

/// Goes through the listings of all kinds, parents' kinds first.
///
/// Every listing is read page by page, also one that is said to come in one piece: servers have limits of their own, so
/// a page that is shorter than was asked for is no end by itself.
final class RESTListing {
    private let exchange: RESTExchange
    /// The parents of the kind that is being listed beneath them, once they are known.
    private var parents: (kind: Int, ids: [String])?

    typealias Page = RESTRecords.Page

    /// How often a listing that shifts is taken back before the reader goes on regardless.
    private static let patience = 100
    /// After so many records a listing counts as one without end.
    private static let recordLimit = 10_000_000
    private static let tailLength = 5
    /// So many records of each kind are compared in a check.
    private static let checkDepth = 10_000

    init(_ exchange: RESTExchange) { self.exchange = exchange }

    // MARK: Telling

    /// Tells the next part of the listings: all of it in a snapshot, and in a check what the device does not have so.
    ///
    /// What a request has shown stays told, and the place stays noted, where a later one fails.
    func tell(_ path: WritableKeyPath<RESTCursor, ListingPlace?>, within requests: Int) async throws {
        let isCheck = path == \.check
        let limit = exchange.requests + requests
        while var place = exchange.cursor[keyPath: path], !exchange.isFull, exchange.requests < limit {
            guard let (kind, page) = try await next(&place) else {
                exchange.cursor[keyPath: path] = nil
                return
            }
            let known = try exchange.known(kind.entityType, page.documents.map(\.id))
            for document in page.documents {
                let key = RecordKey(entityType: kind.entityType, entityId: document.id)
                let version = known[document.id]
                guard let canonical = kind.canonical(document) else { continue }
                if isCheck, exchange.observed[key] != nil || kind.isSame(version?.document, canonical) { continue }
                exchange.observe(kind, document.id, canonical, over: version)
            }
            for element in page.unusable {
                let id = element.objectValue?["id"]?.stringValue ?? "listed-\(element.shortHash)"
                exchange.handOn(kind.entityType, id, element)
            }
            if isCheck, place.offset >= Self.checkDepth { place = ListingPlace(kind: place.kind + 1) }
            exchange.cursor[keyPath: path] = place
        }
    }

    /// The next part of the listings, with its kind; nil where they are through.
    private func next(_ place: inout ListingPlace) async throws -> (RESTKind, Page)? {
        guard place.kind < exchange.schema.types.count,
            let kind = exchange.kind(exchange.schema.types[place.kind].entityType)
        else { return nil }
        if case .perParent(let parent) = exchange.capabilities(kind).listing {
            if parents?.kind != place.kind { parents = (place.kind, try await ids(of: parent)) }
            let ids = parents?.ids ?? []
            guard let current = place.parent ?? ids.first else {
                place = ListingPlace(kind: place.kind + 1)
                return (kind, Page())
            }
            place.parent = current
            let (page, isEnd) = try await page(of: kind, &place)
            let later = ids.first { $0 > current }
            if isEnd { place = ListingPlace(kind: later == nil ? place.kind + 1 : place.kind, parent: later) }
            return (kind, page)
        }
        let (page, isEnd) = try await page(of: kind, &place)
        if isEnd { place = ListingPlace(kind: place.kind + 1) }
        return (kind, page)
    }

    /// A parent that cannot be used here has children all the same.
    private func ids(of parent: EntityType) async throws -> [String] {
        guard let kind = exchange.kind(parent) else { return [] }
        let page = try await all(kind)
        return (page.documents.map(\.id) + page.unusable.compactMap { $0.objectValue?["id"]?.stringValue }).sorted()
    }

    /// All records of a kind, or all beneath a parent.
    func all(_ kind: RESTKind, beneath parent: String? = nil) async throws -> Page {
        var place = ListingPlace(parent: parent)
        var whole = Page()
        while true {
            let (page, isEnd) = try await page(of: kind, &place)
            whole.documents += page.documents
            whole.unusable += page.unusable
            if isEnd { return whole }
        }
    }

    // MARK: Page by page

    /// The next page of one listing, and whether it is the last.
    ///
    /// Each page begins with the last record of the one before: where none is missing, no row has moved up behind the
    /// reader's back. Otherwise the reader goes back until he sees a record that he knows.
    private func page(of kind: RESTKind, _ place: inout ListingPlace) async throws -> (Page, isEnd: Bool) {
        let overlap = place.tail.isEmpty ? 0 : 1
        let start = place.offset - overlap
        let (limit, page) = try await fetch(kind, place, from: start)
        guard let page else { return (Page(), true) }
        let shown = page.hashes
        if overlap > 0, Set(place.tail).isDisjoint(with: shown), place.setbacks < Self.patience {
            place.setbacks += 1
            place.page = 0
            place.offset = max(0, place.offset - max(1, page.count) * place.setbacks)
            // At the beginning nothing of before counts.
            if place.offset == 0 { place.tail = [] }
            return (page, false)
        }
        if page.count <= overlap { return (page, true) }
        let content = shortHash(shown.sorted().map(String.init).joined(separator: ","))
        let isShort = page.count < limit
        if place.offset > 0, content == place.page {
            // It knows nothing of offsets. A full page says that there is more, which it does not show.
            if isShort { return (page, true) }
            throw Self.endless(kind)
        }
        place.page = content
        place.offset = start + page.count
        if place.offset > Self.recordLimit { throw Self.endless(kind) }
        place.tail = page.count > 1 ? Array(shown.suffix(Self.tailLength)) : []
        return (page, isShort && exchange.capabilities(kind).fillsPages)
    }

    /// A page, nil where there is none, and how many records were asked for.
    private func fetch(_ kind: RESTKind, _ place: ListingPlace, from start: Int) async throws -> (Int, Page?) {
        func list(_ limit: Int) async throws -> Page {
            let request = ListRequest(limit: limit, offset: start, parentId: place.parent)
            return try await exchange.records.list(kind.type, request)
        }
        if case .paged(let most) = exchange.capabilities(kind).listing {
            var asked = most
            let page = try await exchange.part(of: "list:\(kind.entityType)", usual: most, smallest: 2) {
                asked = $0
                return try await list($0)
            }
            return (asked, page)
        }
        switch try await exchange.ask({ try await list(.max) }) {
        case .success(let page): return (.max, page)
        // Such a server has only refused to pass over what it has listed before.
        case .failure(let error) where start > 0 && !error.isServerFailure: return (.max, nil)
        case .failure(let error) where place.parent != nil && error.status == 404: return (.max, nil)
        case .failure(let error): throw error
        }
    }

    private static func endless(_ kind: RESTKind) -> APIError {
        .malformedResponse("its list of \(kind.entityType.displayName)s does not end")
    }
}
