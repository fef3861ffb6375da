import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

/// The changes that wait because the server failed on them.
struct FailingChanges {
    /// How many there are, at least one.
    let count: Int
    /// What the server failed on the first of them with.
    let error: String

    /// Nil where there are none.
    init?(_ attempted: [(error: String, count: Int)]) {
        guard let first = attempted.first else { return nil }
        count = attempted.reduce(0) { $0 + $1.count }
        error = first.error
    }

    /// Reads them from the store.
    ///
    /// - Throws: `StoreError`.
    static func read(_ reader: StoreReader) throws -> FailingChanges? {
        FailingChanges(try reader.attemptedMutations())
    }

    /// `the server failed on 2 changes: the server answered 500: no reason given`.
    var message: String { "\(Self.beginning)\(counted(count, "change")): \(error)" }

    private static let beginning = "the server failed on "

    /// Whether the error of a past sync says that the server failed on changes, and nothing else: a sync that could not
    /// begin has another, and the same form.
    static func isOnly(in entry: SyncHistoryEntry) -> Bool {
        entry.failure == nil && entry.error?.hasPrefix(beginning) == true
    }

    /// Whether a past sync ended with what the server did, rather than without having reached it.
    static func wasReached(in entry: SyncHistoryEntry) -> Bool {
        isOnly(in: entry) || entry.failure != nil && entry.error.map { !isLostConnection($0) } ?? true
    }

    /// Whether an error says that the server was not reached, or not in time.
    private static func isLostConnection(_ error: String) -> Bool {
        error == APIError.timeout.description || error.hasPrefix(APIError.connection("").description)
    }
}
