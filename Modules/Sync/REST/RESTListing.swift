import Foundation
import TrendyDomain

/// The place in the listings of all kinds.
struct ListingPlace: Codable, Hashable, Sendable {
    /// Which kind is being listed, in the schema's order.
    var kind = 0
    /// The parent whose records are being listed, for a kind that is listed beneath parents.
    var parent: String?
    /// How many records have been shown.
    var offset = 0
    /// The last records that were shown. A page that shows one of them has skipped none.
    var tail: [UInt32] = []
    /// A hash of the page before, to notice a listing that ignores offsets.
    var page: UInt32 = 0
    /// How often the listing was begun anew because rows had moved up.
    var setbacks = 0
    /// What a check has seen of the kind; nil in a snapshot.
    var seen: ListingCheck?
}

/// What a check has seen of the listing of a kind, so that it finds which of the device's records are missing.
struct ListingCheck: Codable, Hashable, Sendable {
    /// Numbers for the ids that were shown, four bytes each.
    private(set) var shown = Data()
    /// Before this value in the kind's order nothing was read; nil if everything was.
    var end: String?
    /// Whether the listing is through, so that the device's records are next.
    var isListed = false
    /// The last of the device's records that was compared.
    var compared: String?

    mutating func insert(_ ids: [String]) {
        for id in ids { withUnsafeBytes(of: shortHash(id).littleEndian) { shown.append(contentsOf: $0) } }
    }

    /// The numbers of all ids that were shown.
    var numbers: Set<UInt32> {
        let bytes = Array(shown)
        return Set(
            stride(from: 0, to: bytes.count - 3, by: 4).map { start in
                bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            })
    }
}

/// Goes through the listings of all kinds, parents' kinds first.
///
/// Every listing is read page by page, even one that is said to come in one piece. Servers have limits of their own,
/// so a short page is not the end.
final class RESTListing {
    private let exchange: RESTExchange
    /// The parents of the kind that is being listed beneath them, once they are known.
    private var parents: (kind: Int, ids: [String])?

    /// How often a listing that shifts is begun anew before the reader goes on regardless.
    private static let patience = 20
    /// How many records of each kind a check compares.
    private static let checkDepth = 10_000
    /// How many records that a listing has not shown one exchange asks for.
    private static let askedRecords = 20

    init(_ exchange: RESTExchange) { self.exchange = exchange }

    // MARK: Telling

    /// Tells the next part of the listings: everything in a snapshot, and in a check the records that the device has
    /// differently.
    ///
    /// If a later request fails, what was told and the place in the listing are kept.
    func tell(_ path: WritableKeyPath<RESTCursor, ListingPlace?>, within requests: Int) async throws {
        let isCheck = path == \.check
        let limit = exchange.requests + requests
        while var place = exchange.cursor[keyPath: path], !exchange.isFull, exchange.requests < limit {
            if let check = place.seen, check.isListed {
                place = try await tellMissing(place, check)
                exchange.cursor[keyPath: path] = place
                continue
            }
            if isCheck, place.seen == nil { place.seen = ListingCheck() }
            let before = place
            guard let (kind, page) = try await next(&place) else {
                exchange.cursor[keyPath: path] = nil
                return
            }
            if !isCheck { try await tellParents(of: page.documents, kind) }
            tell(page, kind, always: !isCheck, known: try exchange.known(kind.entityType, page.documents.map(\.id)))
            if isCheck { place = noted(page, kind, at: place, before) }
            exchange.cursor[keyPath: path] = place
        }
    }

    /// Tells one record as the server has it, behind its parents.
    func tell(_ kind: RESTKind, _ id: String) async throws {
        let key = RecordKey(kind.entityType, id)
        guard exchange.observed[key] == nil, case .success(.some(let there)) = try await exchange.look(kind, id)
        else { return }
        try await tellParents(of: [there], kind)
        exchange.tell(kind, id, there, over: try exchange.known(key), always: true)
    }

    private func tell(_ page: RESTPage, _ kind: RESTKind, always: Bool, known: [String: KnownVersion]) {
        for document in page.documents {
            let key = RecordKey(kind.entityType, document.id)
            // Pages overlap.
            if let seen = exchange.observed[key], !always || seen.document == document { continue }
            exchange.tell(kind, document.id, document, over: known[document.id], always: always)
        }
        for element in page.unusable {
            let id = element.objectValue?["id"]?.stringValue ?? "listed-\(element.shortHash)"
            exchange.handOn(kind.entityType, id, element)
        }
    }

    // MARK: What is missing

    /// The place behind a page of a check, which remembers what the page has shown.
    private func noted(_ page: RESTPage, _ kind: RESTKind, at place: ListingPlace, _ before: ListingPlace)
        -> ListingPlace
    {
        var (place, check) = (place, before.seen ?? ListingCheck())
        check.insert(page.documents.map(\.id) + page.unusable.compactMap { $0.objectValue?["id"]?.stringValue })
        // A kind that the device did not know before is read whole.
        let isKnown = exchange.cursor.checkedKinds.contains(kind.entityType)
        if place.kind == before.kind, isKnown, place.offset >= Self.checkDepth {
            check.end = kind.listingOrder.flatMap { page.documents.last?[$0]?.stringValue }
            place = ListingPlace(kind: before.kind + 1)
            // Without an order nobody knows what was left out.
            if check.end == nil { return place }
        }
        if place.kind > before.kind { (place, check.isListed) = (ListingPlace(kind: before.kind), true) }
        place.seen = check
        return place
    }

    /// Tells of the device's records that the listing has not shown and that the server does not have. They were
    /// deleted without an entry in the feed. Returns the place behind them.
    private func tellMissing(_ place: ListingPlace, _ check: ListingCheck) async throws -> ListingPlace {
        guard let kind = exchange.kind(exchange.schema.types[place.kind].entityType) else {
            return ListingPlace(kind: place.kind + 1)
        }
        var (place, check) = (place, check)
        let numbers = check.numbers
        while true {
            let ids = try exchange.device.ids(kind.entityType, check.compared, 500)
            guard let last = ids.last else { return ListingPlace(kind: place.kind + 1) }
            let unseen = ids.filter {
                !numbers.contains(shortHash($0)) && exchange.observed[RecordKey(kind.entityType, $0)] == nil
            }
            let known = try exchange.known(kind.entityType, unseen)
            let missing = unseen.filter { known[$0].map { isInReach($0, kind, check.end) } ?? false }
            let asked = Array(missing.prefix(Self.askedRecords))
            check.compared = asked.count < missing.count ? asked.last : last
            place.seen = check
            if asked.isEmpty { continue }
            let found = try await exchange.whereabouts(of: asked, kind)
            for id in asked where found[id] == .gone { exchange.tell(kind, id, nil, over: known[id]) }
            // A listing that leaves so much out tells nothing of deletions.
            let isUseless = asked.count == Self.askedRecords && !found.values.contains(.gone)
            return isUseless ? ListingPlace(kind: place.kind + 1) : place
        }
    }

    /// Whether a listing that ends before some value would have shown a version.
    private func isInReach(_ known: KnownVersion, _ kind: RESTKind, _ end: String?) -> Bool {
        guard let document = known.document, known.revision > 0 else { return false }
        guard let end, let order = kind.listingOrder else { return true }
        guard let limit = Timestamp(end), let own = document[order]?.stringValue.flatMap(Timestamp.init) else {
            return false
        }
        return own > limit
    }

    /// Tells the parents that were made since their kind was listed. Otherwise readers would see a record without its
    /// parent until the feed is read.
    private func tellParents(of documents: [RecordDocument], _ kind: RESTKind) async throws {
        let named = documents.flatMap { kind.parents(of: $0).filter { $0.onDelete == .cascade }.map(\.key) }
        for (parent, keys) in exchange.byKind(Set(named)) {
            let known = try exchange.known(parent.entityType, keys.map(\.id))
            let missing = keys.filter { exchange.observed[$0]?.document == nil && known[$0.id]?.document == nil }
            for key in missing.sorted() {
                guard case .success(.some(let document)) = try await exchange.look(parent, key.id) else {
                    continue
                }
                exchange.tell(parent, key.id, document, over: known[key.id], always: true)
            }
        }
    }

    /// The next part of the listings, with its kind; nil where they are through.
    private func next(_ place: inout ListingPlace) async throws -> (RESTKind, RESTPage)? {
        guard place.kind < exchange.schema.types.count,
            let kind = exchange.kind(exchange.schema.types[place.kind].entityType)
        else { return nil }
        if case .perParent(let parent) = exchange.capabilities(kind).listing {
            if parents?.kind != place.kind { parents = (place.kind, try await ids(of: parent)) }
            place.parent = place.parent ?? parents?.ids.first
            if place.parent == nil {
                place = ListingPlace(kind: place.kind + 1, seen: place.seen)
                return (kind, RESTPage())
            }
        }
        let (page, isEnd) = try await page(of: kind, &place)
        if isEnd {
            let later = place.parent.flatMap { parent in parents?.ids.first { $0 > parent } }
            place = ListingPlace(kind: later == nil ? place.kind + 1 : place.kind, parent: later, seen: place.seen)
        }
        return (kind, page)
    }

    /// A parent that cannot be used here has children all the same.
    private func ids(of parent: EntityType) async throws -> [String] {
        guard let kind = exchange.kind(parent) else { return [] }
        let page = try await all(kind)
        return (page.documents.map(\.id) + page.unusable.compactMap { $0.objectValue?["id"]?.stringValue }).sorted()
    }

    /// All records of a kind, or all beneath a parent.
    func all(_ kind: RESTKind, beneath parent: String? = nil) async throws -> RESTPage {
        var place = ListingPlace(parent: parent)
        var whole = RESTPage()
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
    /// Each page begins with the last records of the page before. If it shows none of them, rows may have moved up
    /// meanwhile, and the listing is begun anew.
    private func page(of kind: RESTKind, _ place: inout ListingPlace) async throws -> (RESTPage, isEnd: Bool) {
        let (start, limit, page) = try await fetch(kind, place)
        guard let page else { return (RESTPage(), true) }
        let shown = page.hashes
        func beginAnew() -> Bool {
            if place.setbacks >= Self.patience { return false }
            place = ListingPlace(
                kind: place.kind, parent: place.parent, setbacks: place.setbacks + 1, seen: place.seen)
            return true
        }
        if !place.tail.isEmpty, Set(place.tail).isDisjoint(with: shown), beginAnew() { return (page, false) }
        // More than what was asked for again means that rows have moved down, so that there are more behind them.
        let isAllOverlap = page.count <= place.offset - start
        if isAllOverlap, Set(shown).isSubset(of: place.tail) { return (page, true) }
        let content = shortHash(shown.sorted().map(String.init).joined(separator: ","))
        if place.offset > 0, content == place.page {
            // The server ignores offsets. A full page means that there is more, which it does not show, or that rows have
            // moved down by a page.
            if page.count < limit { return (page, true) }
            if beginAnew() { return (page, false) }
            throw APIError.malformedResponse("its list of \(kind.entityType.displayName)s does not end")
        }
        place.page = content
        place.offset = start + page.count
        place.tail = Array(shown.suffix(min(5, page.count / 2)))
        return (page, page.count < limit && exchange.capabilities(kind).fillsPages)
    }

    /// A page, nil where there is none, with the offset and the number of records that were asked for.
    private func fetch(_ kind: RESTKind, _ place: ListingPlace) async throws -> (Int, Int, RESTPage?) {
        var (most, smallest, limit) = (Int.max, Int.max, Int.max)
        var start = place.offset
        if case .paged(let usual) = exchange.capabilities(kind).listing { (most, smallest) = (usual, 2) }
        do {
            let page = try await exchange.part(of: "list:\(kind.entityType)", usual: most, smallest: smallest) {
                page, limit in
                page.count >= limit
            } _: {
                limit = $0
                // A page begins with records of the page before it. In a smaller page they take up half at most: a page
                // without any new record counts as the last one.
                start = place.offset - min(place.tail.count, limit / 2)
                let request = ListRequest(limit: limit, offset: start, parentId: place.parent)
                return try await exchange.records.list(kind.type, request)
            }
            return (start, limit, page)
        } catch let error as APIError where most == .max && !error.endsExchange && !error.isServerFailure {
            // The server refuses the offset, or the parent is gone.
            guard start > 0 || place.parent != nil && error.status == 404 else { throw error }
            return (start, limit, nil)
        }
    }
}
