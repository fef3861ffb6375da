import TrendyDomain

/// What a reader of a listing remembers of its pages, by which it knows the listing's end.
///
/// A page that is shorter than was asked for is no end by itself: servers send fewer records than they are asked for
/// where they have a limit of their own.
struct PageMemory<Entity: SyncEntity> {
    /// How many pages in a row were equal to the one before: of a server that knows nothing of offsets, they all are.
    private(set) var repetitions = 0
    /// True once a page has had more than one element, so that it can begin with the last one of the page before.
    private(set) var canOverlap = false
    /// The elements that were no records.
    private var unusable: Set<JSONValue> = []
    private var last: Set<JSONValue>?

    /// Takes a page. Answers it without the unusable elements that an earlier one has shown.
    mutating func saw(_ page: ListPage<Entity>) -> ListPage<Entity> {
        let elements = Set(page.records.map { JSONValue.string($0.id) } + page.undecodable)
        repetitions = elements == last ? repetitions + 1 : 0
        last = elements
        canOverlap = canOverlap || page.count > 1
        var fresh = page
        fresh.undecodable = page.undecodable.filter { unusable.insert($0).inserted }
        return fresh
    }

    /// Whether a page shows an unusable element of those before it; to be asked before the page is taken.
    func hasUnusable(of page: ListPage<Entity>) -> Bool {
        page.undecodable.contains(where: unusable.contains)
    }

    /// Forgets the page before, of a listing that is taken back; all of it where it is taken back to its beginning.
    mutating func goBack(toBeginning: Bool) {
        self.last = nil
        repetitions = 0
        if toBeginning { unusable = [] }
    }
}
