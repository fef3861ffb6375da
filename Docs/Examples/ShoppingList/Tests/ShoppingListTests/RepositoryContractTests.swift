import ShoppingList
import ShoppingRecords
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// What both repositories must do; a test that runs on the mock proves something of the real one only then.
@Suite("A repository of the shopping list")
struct RepositoryContractTests {
    enum Kind: CaseIterable { case mock, sqlite }

    private let folder: TestFolder
    private let ids = SequentialIdentifiers()

    init() throws {
        folder = try TestFolder()
    }

    private func make(_ kind: Kind) throws -> any ShoppingListRepository {
        switch kind {
        case .mock:
            return MockShoppingListRepository()
        case .sqlite:
            let server = try ServerAddress(parse: "http://127.0.0.1:1")
            return try ShoppingListModuleFactory.production(
                ShoppingListConfiguration(home: folder.url, server: server)
            ).repository
        }
    }

    @Test("has what was added, as it was changed, oldest first", arguments: Kind.allCases)
    func keeps(_ kind: Kind) async throws {
        let repository = try make(kind)
        var milk = ShoppingItem(id: ids.makeId(), name: "milk", note: "fresh")
        let bread = ShoppingItem(id: ids.makeId(), name: "bread", quantity: 2)
        try await repository.add(item: bread)
        try await repository.add(item: milk)
        milk.note = nil
        milk.isPurchased = true
        try await repository.save(item: milk)
        #expect(try await repository.fetchItems() == [milk, bread])
    }

    @Test("has no longer what was deleted, and brings it back by no later change", arguments: Kind.allCases)
    func deletes(_ kind: Kind) async throws {
        let repository = try make(kind)
        let milk = ShoppingItem(id: ids.makeId(), name: "milk")
        try await repository.add(item: milk)
        try await repository.deleteItem(id: milk.id)
        let gone = SyncEngineError.notFound(entityType: ShoppingItem.entityType, id: milk.id)
        await #expect(throws: gone) { try await repository.save(item: milk) }
        await #expect(throws: gone) { try await repository.deleteItem(id: milk.id) }
        #expect(try await repository.fetchItems().isEmpty)
    }

    @Test("refuses what is wrong, all of it at once, and what is there already", arguments: Kind.allCases)
    func refuses(_ kind: Kind) async throws {
        let repository = try make(kind)
        let wrong = ShoppingItem(id: ids.makeId(), name: " ", quantity: 0)
        let error = await #expect(throws: ValidationError.self) { try await repository.add(item: wrong) }
        #expect(error?.fields.map(\.field) == ["name", "quantity"])
        let milk = ShoppingItem(id: ids.makeId(), name: "milk")
        try await repository.add(item: milk)
        await #expect(throws: SyncEngineError.self) { try await repository.add(item: milk) }
        #expect(try await repository.fetchItems() == [milk])
    }
}
