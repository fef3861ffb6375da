import TrendyDomain

/// A record as a device keeps it, or what stands in its place.
enum LocalRow<Entity: SyncEntity> {
    case record(LocalRecord<Entity>)
    case unreadable(id: String, reason: String)

    var id: String {
        switch self {
        case .record(let record): record.id
        case .unreadable(let id, _): id
        }
    }
}

/// Goes through the records of a kind on both sides at once, by their ids, with a page of each side in memory.
struct RecordPairs<Entity: SyncEntity> {
    struct Pair {
        var here: LocalRow<Entity>?
        var there: Remote<Entity>?
    }

    private var here: RowPages<LocalRow<Entity>>
    private var there: RowPages<Remote<Entity>>

    private static var pageSize: Int { 500 }

    init(cycle: SyncCycle) {
        here = RowPages(id: \.id) { last in
            try cycle.read { try Self.rows(in: $0, after: last, limit: Self.pageSize) }
        }
        there = RowPages(id: \.id) { last in
            try cycle.read { try $0.fetchStaged(Entity.self, after: last, limit: Self.pageSize) }
        }
    }

    /// The next id of either side, with what is there; nil after the last.
    mutating func next() throws -> Pair? {
        let (ours, theirs) = (try here.peek(), try there.peek())
        guard let ours else {
            if theirs != nil { there.advance() }
            return theirs.map { Pair(there: $0) }
        }
        guard let theirs else {
            here.advance()
            return Pair(here: ours)
        }
        let takesOurs = !theirs.id.utf8.lexicographicallyPrecedes(ours.id.utf8)
        let takesTheirs = !ours.id.utf8.lexicographicallyPrecedes(theirs.id.utf8)
        if takesOurs { here.advance() }
        if takesTheirs { there.advance() }
        return Pair(here: takesOurs ? ours : nil, there: takesTheirs ? theirs : nil)
    }

    /// The row of one id; nil where there is none.
    static func row(_ id: String, in store: any DataStoreProtocol) throws -> LocalRow<Entity>? {
        do {
            return try store.find(Entity.self, id: id).map { .record($0) }
        } catch StoreError.unreadableRecord(_, _, let reason) {
            return .unreadable(id: id, reason: reason)
        }
    }

    /// A page of rows. One with a row that cannot be read ends before it, so that the next one begins with that row.
    private static func rows(
        in store: any DataStoreProtocol, after last: String?, limit: Int
    ) throws -> [LocalRow<Entity>] {
        do {
            return try store.fetch(Entity.self, after: last, limit: limit).map { .record($0) }
        } catch StoreError.unreadableRecord(_, let id, let reason) {
            guard limit > 1 else {
                // One without a usable id cannot be passed by.
                if let last, !last.utf8.lexicographicallyPrecedes(id.utf8) {
                    throw StoreError.unreadableRecord(entityType: Entity.entityType, id: id, reason: reason)
                }
                return [.unreadable(id: id, reason: reason)]
            }
            return try rows(in: store, after: last, limit: limit / 2)
        }
    }
}

/// Rows that come in pages, one at a time.
private struct RowPages<Row> {
    private let id: (Row) -> String
    private let fetch: (_ last: String?) throws -> [Row]
    private var page: ArraySlice<Row> = []
    private var last: String?
    private var isAtEnd = false

    /// - Parameter fetch: The rows that follow an id; none where it is the last.
    init(id: @escaping (Row) -> String, fetch: @escaping (_ last: String?) throws -> [Row]) {
        self.id = id
        self.fetch = fetch
    }

    mutating func peek() throws -> Row? {
        if page.isEmpty, !isAtEnd {
            page = try fetch(last)[...]
            isAtEnd = page.isEmpty
            last = page.last.map(id) ?? last
        }
        return page.first
    }

    mutating func advance() {
        page.removeFirst()
    }
}
