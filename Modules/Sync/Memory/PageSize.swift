import TrendyDomain

/// How much a page of the feed, or of the listing of a kind, is asked to have.
///
/// Half as much where an answer was too large, or did not come in time: over a slow link a page of the usual size would
/// never come. What was too slow is remembered for the next cycles, and forgotten step by step: each reading whose pages all
/// come in time doubles what the next one asks for.
struct PageSize {
    /// So much is asked for now.
    private(set) var limit: Int
    private let usual: Int
    private let smallest: Int
    private let name: String
    private var remembered: Int
    /// Whether the page that is waited for has been asked for again already because it did not come in time.
    private var hasTimedOut = false
    /// Whether any page of this reading has not come in time.
    private var wasSlow = false

    /// - Parameters:
    ///   - name: Under which the size is remembered.
    ///   - usual: What is asked for where nothing is remembered; `.max` for what comes in one piece, whatever its size.
    init(_ name: String, usual: Int, smallest: Int, in cycle: SyncCycle) throws {
        self.name = name
        self.usual = usual
        self.smallest = min(smallest, usual)
        let known = try cycle.read { try $0.value([String: Int].self, for: MetadataKey.pageSizes)?[name] }
        remembered = usual == .max ? usual : max(self.smallest, min(usual, known ?? usual))
        limit = remembered
    }

    /// Takes note that a page has come.
    mutating func arrived() { hasTimedOut = false }

    /// Halves the size after a refusal. Answers whether the page is to be asked for again.
    ///
    /// A page that does not come in time is asked for once more in a cycle, so that a server that is silent ends it soon.
    mutating func shrink(after refusal: Refusal, in cycle: SyncCycle) throws -> Bool {
        guard refusal.isTooLarge || refusal.isTimeout, limit > smallest, limit < .max else { return false }
        limit = max(smallest, limit / 2)
        guard refusal.isTimeout else { return true }
        try remember(limit, in: cycle)
        wasSlow = true
        defer { hasTimedOut = true }
        return !hasTimedOut
    }

    /// Lets the next reading ask for more, after one whose pages all came.
    mutating func reachedEnd(in cycle: SyncCycle) throws {
        if !wasSlow, remembered < usual { try remember(remembered > usual / 2 ? usual : remembered * 2, in: cycle) }
    }

    private mutating func remember(_ size: Int, in cycle: SyncCycle) throws {
        guard size != remembered else { return }
        remembered = size
        try cycle.write { store in
            var sizes = try store.value([String: Int].self, for: MetadataKey.pageSizes) ?? [:]
            sizes[name] = size < usual ? size : nil
            try store.setValue(sizes.isEmpty ? nil : sizes, for: MetadataKey.pageSizes)
        }
    }
}
