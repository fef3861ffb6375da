import ShoppingList
import ShoppingRecords
import Testing
import TrendyDomain
import TrendyTestSupport

@MainActor
@Suite("The view model")
struct ViewModelTests {
    @Test("shows what is on the list, and each change made through it")
    func changes() async throws {
        let bread = ShoppingItem(id: SequentialIdentifiers.id(1), name: "bread")
        let (list, repository, _) = ShoppingListModuleFactory.testing(with: [bread])
        #expect(list.items.isEmpty)
        await list.load()
        #expect(list.items == [bread])
        await list.addItem(name: "milk", quantity: 2, note: "fresh")
        await list.setPurchased(true, id: bread.id)
        #expect(list.items.map(\.name) == ["bread", "milk"])
        #expect(list.items.map(\.isPurchased) == [true, false])
        await list.removeItem(id: bread.id)
        #expect(list.items.map(\.quantity) == [2])
        #expect(await repository.fetchItems() == list.items)
        #expect(list.errorMessage == nil)
    }

    @Test("says what went wrong, until something goes right")
    func failure() async throws {
        let (list, _, _) = ShoppingListModuleFactory.testing()
        await list.addItem(name: "")
        #expect(list.errorMessage?.contains("name") == true)
        #expect(list.items.isEmpty)
        await list.addItem(name: "milk")
        #expect(list.errorMessage == nil)
    }

    @Test("syncs when asked, and tells why it could not")
    func sync() async throws {
        let (list, _, service) = ShoppingListModuleFactory.testing()
        await list.sync()
        #expect(list.errorMessage == nil && !list.isSyncing)
        await service.setReport(SyncReport(pending: 3, failure: .unreachable, error: "nobody answers"))
        await list.sync()
        #expect(list.errorMessage == "nobody answers" && list.pendingCount == 3)
        #expect(await service.syncCount == 2)
    }
}
