import ShoppingList
import ShoppingRecords
import Testing
import TrendyData
import TrendyDomain

/// A device as a person has it: the module in production, in a folder of its own.
struct Device {
    let folder: TestFolder
    let module: ShoppingListModule
    /// One for the device: the ids of one generator ascend, also within a millisecond.
    private let ids = UUIDv7Generator()

    init(_ server: ServerAddress) throws {
        folder = try TestFolder()
        module = try ShoppingListModuleFactory.production(
            ShoppingListConfiguration(home: folder.url, server: server))
    }

    var items: [ShoppingItem] {
        get async throws { try await module.repository.fetchItems() }
    }

    func add(_ name: String, quantity: Int = 1, note: String? = nil) async throws -> ShoppingItem {
        let item = ShoppingItem(id: ids.makeId(), name: name, quantity: quantity, note: note)
        try await module.repository.add(item: item)
        return item
    }

    /// Changes the item as this device has it now.
    func edit(_ id: String, _ change: (inout ShoppingItem) -> Void) async throws {
        var item = try #require(try await items.first { $0.id == id })
        change(&item)
        try await module.repository.save(item: item)
    }

    func remove(_ item: ShoppingItem) async throws {
        try await module.repository.deleteItem(id: item.id)
    }

    /// Syncs, and demands that everything was sent.
    func sync(_ location: SourceLocation = #_sourceLocation) async {
        let report = await module.sync.sync()
        #expect(report.failure == nil, "\(report.error ?? "")", sourceLocation: location)
        #expect(report.pending == 0 && report.failing == 0 && report.parked == 0, sourceLocation: location)
    }
}

/// Demands that both devices and the server hold the same items.
func expectAgreement(
    _ first: Device, _ second: Device, _ location: SourceLocation = #_sourceLocation
) async throws -> [ShoppingItem] {
    let page = try await first.module.client.list(ShoppingItem.self, ListRequest(limit: .max))
    let server = page.records.map(\.entity).sorted { $0.id < $1.id }
    #expect(page.undecodable.isEmpty, sourceLocation: location)
    #expect(try await first.items == server, sourceLocation: location)
    #expect(try await second.items == server, sourceLocation: location)
    return server
}
