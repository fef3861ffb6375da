import Synchronization
import TrendyDomain

/// Remembers where pages ended, so that the next page of a long list is found without counting from its start.
///
/// Finding row 90,000 by its offset means passing over 90,000 rows; a client that pages through everything
/// would cause work that grows with the square of the number. A bookmark holds for as long as nothing of the
/// user's has changed, so a page is exactly what its offset asks for.
final class PageBookmarks: Sendable {
    /// Where a page began.
    struct Place: Hashable {
        var userId: String
        var entityType: EntityType
        var parent: RecordIndex.Reference?
        var isActive: Bool?
        var offset: Int
    }

    private struct Bookmark {
        var head: Int64
        var position: RecordPosition
    }

    /// How many are remembered before all are forgotten.
    private static let capacity = 4096

    private let bookmarks = Mutex<[Place: Bookmark]>([:])

    /// The record before that place; nil where it is not known, or something has changed since.
    func position(before place: Place, at head: Int64) -> RecordPosition? {
        bookmarks.withLock { bookmarks in
            guard let bookmark = bookmarks[place], bookmark.head == head else { return nil }
            return bookmark.position
        }
    }

    func remember(_ position: RecordPosition, before place: Place, at head: Int64) {
        bookmarks.withLock { bookmarks in
            if bookmarks.count >= Self.capacity { bookmarks = [:] }
            bookmarks[place] = Bookmark(head: head, position: position)
        }
    }
}
