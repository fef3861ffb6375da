/// Notices a listing that shows the same page again and again, because the server knows nothing of offsets.
struct PageRepetition {
    /// How many pages in a row may be equal to the one before.
    let limit: Int
    private var last: [String] = []
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the ids of a page, and says whether there have been too many equal ones.
    mutating func isEndless(_ ids: [String]) -> Bool {
        count = ids.count > 1 && ids == last ? count + 1 : 0
        last = ids
        return count >= limit
    }
}
