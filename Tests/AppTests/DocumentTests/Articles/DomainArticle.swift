import Testing
import TrendyDomain

struct Book: SyncEntity {
    static let entityType: EntityType = "book"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    var id: String
    var title: String
    var author: String?
    var isRead = false

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, title, author
        case isRead = "is_read"
    }

    func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireText(title, "title", max: 200)
        try checks.throwIfAny(for: Self.entityType)
    }
}

// What the article of TrendyDomain shows; ArticleTests compares them.

@Suite("The article of TrendyDomain")
struct DomainArticle {
    @Test("makes a record, and refuses one that breaks a rule")
    func record() throws {
        let ids = UUIDv7Generator()
        let book = Book(id: ids.makeId(), title: "Emma", author: "Jane Austen")
        try book.validate()
        #expect(throws: ValidationError.self) { try Book(id: ids.makeId(), title: "").validate() }
    }

    @Test("finds what changed")
    func patch() throws {
        let book = Book(id: "01890a5d-ac96-774b-bcce-b302099a8057", title: "Emma", author: "Jane Austen")
        var edited = book
        edited.isRead = true
        edited.author = nil
        let patch = try Patch(from: book, to: edited)
        #expect(patch.changes == ["is_read": true, "author": nil])
        #expect(try patch.applied(to: book) == edited)
    }
}
