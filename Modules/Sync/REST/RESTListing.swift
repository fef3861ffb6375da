import TrendyDomain

/// Goes through the listings of all kinds, parents' kinds first, one step after the other.
///
/// A page that is shorter than was asked for is no end by itself: servers send fewer records where they have a limit of
/// their own, and send a part of what they are said to list as a whole.
final class RESTListing {
    private let exchange: RESTExchange
    /// The parents of the kind that is being listed beneath them, once they are known.
    private var parents: (kind: Int, ids: [String])?

    typealias Page = RESTRecords.Page

    /// How often a listing that shifts is taken back before the reader goes on regardless.
    private static let patience = 100
    /// After so many steps back it is begun anew.
    private static let stepsBack = 5
    /// After so many equal pages a listing counts as broken that has more and does not show it.
    private static let repetitions = 3
    /// After so many records of a kind a listing counts as one without end.
    private static let recordLimit = 10_000_000
    private static let tailLength = 5

    init(_ exchange: RESTExchange) { self.exchange = exchange }

    /// The next part of the listings, with its kind; nil where they are through.
    func next(_ place: inout ListingPlace) async throws -> (RESTKind, Page)? {
        guard place.kind < exchange.schema.types.count,
            let kind = RESTKind(exchange.schema.types[place.kind].entityType, in: exchange.schema)
        else { return nil }
        switch capabilities(kind).listing {
        case .whole:
            let page = try await whole(kind)
            place = ListingPlace(kind: place.kind + 1)
            return (kind, page)
        case .paged(let limit):
            return (kind, try await page(kind, limit, &place))
        case .perParent(let parent):
            if parents?.kind != place.kind { parents = (place.kind, try await ids(of: parent)) }
            guard let id = parents?.ids.first(where: { $0 > place.parent ?? "" }) else {
                place = ListingPlace(kind: place.kind + 1)
                return (kind, Page(documents: [], unusable: []))
            }
            let page = try await whole(kind, beneath: id)
            place.parent = id
            return (kind, page)
        }
    }

    private func capabilities(_ kind: RESTKind) -> RouteCapabilities {
        exchange.records.client.capabilities(of: kind.entityType)
    }

    // MARK: Page by page

    /// Each page begins with the last record of the one before: where none is missing, no row has moved up behind the
    /// reader's back. Otherwise the reader goes back until he sees a record that he knows.
    private func page(_ kind: RESTKind, _ most: Int, _ place: inout ListingPlace) async throws -> Page {
        var size = RESTSize("list:\(kind.entityType)", usual: most, smallest: 2, exchange.cursor)
        let start = place.tail.isEmpty ? place.offset : max(0, place.offset - 1)
        let page = try await fetch(kind, offset: start, &size)
        let shown = page.hashes
        let continues = place.tail.isEmpty || !Set(place.tail).isDisjoint(with: shown)
        if !continues, place.setbacks < Self.patience {
            goBack(&place, page.count)
            return page.unusableAlone
        }
        let content = shortHash(shown.sorted().map(String.init).joined(separator: ","))
        place.repetitions = content == place.page && place.offset > 0 ? place.repetitions + 1 : 0
        let isShort = page.count < size.limit
        let isEnd =
            page.count <= place.offset - start || (place.repetitions > 0 && (isShort || page.count == 1))
            || (isShort && capabilities(kind).fillsPages)
        if place.repetitions >= Self.repetitions, !isEnd { throw Self.endless(kind) }
        place.offset = start + page.count
        if place.offset > Self.recordLimit { throw Self.endless(kind) }
        place.page = content
        place.tail = page.count > 1 ? Array(shown.suffix(Self.tailLength)) : []
        if isEnd { place = ListingPlace(kind: place.kind + 1) }
        return page
    }

    private func goBack(_ place: inout ListingPlace, _ count: Int) {
        place.setbacks += 1
        place.page = 0
        place.repetitions = 0
        place.offset = place.setbacks % Self.stepsBack == 0 ? 0 : max(0, place.offset - max(1, count - 1))
        // At the beginning nothing of before counts.
        if place.offset == 0 { place.tail = [] }
    }

    private func fetch(_ kind: RESTKind, offset: Int, _ size: inout RESTSize) async throws -> Page {
        while true {
            let request = ListRequest(limit: size.limit, offset: offset)
            let answer: Result<Page, APIError>
            do {
                answer = try await exchange.ask { try await exchange.records.list(kind.type, request) }
            } catch APIError.timeout {
                answer = .failure(.timeout)
            }
            switch answer {
            case .success(let page):
                size.arrived(&exchange.cursor)
                return page
            case .failure(let error):
                guard size.shrink(after: error, &exchange.cursor) else { throw error }
            }
        }
    }

    // MARK: In one piece

    /// All records of a kind, or all beneath a parent; none where that parent is gone.
    func whole(_ kind: RESTKind, beneath parent: String? = nil) async throws -> Page {
        var limit = Int.max
        if case .paged(let most) = capabilities(kind).listing { limit = most }
        var whole = Page(documents: [], unusable: [])
        var seen: Set<UInt32> = []
        var offset = 0
        var setbacks = 0
        while true {
            let request = ListRequest(limit: limit, offset: offset, parentId: parent)
            let page: Page
            switch try await exchange.ask({ try await exchange.records.list(kind.type, request) }) {
            case .success(let answered): page = answered
            // Such a server has only refused to pass over what it has listed before.
            case .failure(let error) where offset > 0 && limit == .max && !error.isServerFailure: return whole
            case .failure(let error) where parent != nil && error.status == 404: return whole
            case .failure(let error): throw error
            }
            if offset > 0, page.count > 0, seen.isDisjoint(with: page.hashes), whole.count > 1,
                setbacks < Self.patience
            {
                (setbacks, offset, seen) = (setbacks + 1, 0, [])
                whole = Page(documents: [], unusable: [])
                continue
            }
            let before = whole.count
            whole.documents += page.documents.filter { seen.insert(Page.hash($0)).inserted }
            whole.unusable += page.unusable.filter { seen.insert(Page.hash($0)).inserted }
            if capabilities(kind).fillsPages && limit == .max || whole.count == before { return whole }
            if whole.count > Self.recordLimit { throw Self.endless(kind) }
            offset += page.count > 1 || whole.count > 1 ? page.count - 1 : page.count
        }
    }

    /// A parent that cannot be used here has children all the same.
    private func ids(of parent: EntityType) async throws -> [String] {
        guard let kind = RESTKind(parent, in: exchange.schema) else { return [] }
        let page = try await whole(kind)
        return (page.documents.map { $0["id"] } + page.unusable.map { $0.objectValue?["id"] })
            .compactMap { $0?.stringValue }.sorted()
    }

    private static func endless(_ kind: RESTKind) -> APIError {
        .malformedResponse("its list of \(kind.entityType.displayName)s does not end")
    }
}

extension RESTRecords.Page {
    static func hash(_ document: RecordDocument) -> UInt32 { shortHash(document["id"]?.stringValue ?? "") }

    static func hash(_ element: JSONValue) -> UInt32 {
        (try? WireCoding.encode(element)).map { shortHash(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Numbers for its elements, those that cannot be used last.
    var hashes: [UInt32] { unusable.map(Self.hash) + documents.map(Self.hash) }

    fileprivate var unusableAlone: Self { Self(documents: [], unusable: unusable) }
}
