public import Observation
public import ShoppingRecords
public import TrendyDomain

/// What a screen with the list shows and does.
@MainActor
@Observable
public final class ShoppingListViewModel {
    /// The items, as of the last ``load()`` or change made here.
    public private(set) var items: [ShoppingItem] = []
    /// How many changes wait to be sent.
    public private(set) var pendingCount = 0
    /// Whether a sync that was asked for here is under way.
    public private(set) var isSyncing = false
    /// What went wrong last, for the person to read; nil where nothing did.
    public private(set) var errorMessage: String?

    @ObservationIgnored private let repository: any ShoppingListRepository
    @ObservationIgnored private let syncService: any SyncService
    @ObservationIgnored private let ids: any IdentifierGenerator

    /// Makes a view model; nothing is read before ``load()``.
    public init(
        repository: any ShoppingListRepository, syncService: any SyncService,
        ids: any IdentifierGenerator = UUIDv7Generator()
    ) {
        self.repository = repository
        self.syncService = syncService
        self.ids = ids
    }

    /// Reads the list.
    public func load() async {
        await attempt {}
    }

    /// Puts an item on the list.
    public func addItem(name: String, quantity: Int = 1, note: String? = nil) async {
        let item = ShoppingItem(id: ids.makeId(), name: name, quantity: quantity, note: note)
        await attempt { try await self.repository.add(item: item) }
    }

    /// Marks an item as bought, or as still to be bought.
    public func setPurchased(_ isPurchased: Bool, id: String) async {
        guard var item = items.first(where: { $0.id == id }) else { return }
        item.isPurchased = isPurchased
        let changed = item
        await attempt { try await self.repository.save(item: changed) }
    }

    /// Takes an item off the list.
    public func removeItem(id: String) async {
        await attempt { try await self.repository.deleteItem(id: id) }
    }

    /// Syncs, and shows what has come.
    public func sync() async {
        isSyncing = true
        let report = await syncService.sync()
        isSyncing = false
        await attempt {}
        if let error = report.error { errorMessage = error }
    }

    /// Does a piece of work, then reads the list again; says what went wrong.
    private func attempt(_ work: () async throws -> Void) async {
        errorMessage = nil
        do { try await work() } catch { errorMessage = "\(error)" }
        do {
            items = try await repository.fetchItems()
            pendingCount = try await syncService.pendingCount()
        } catch {
            errorMessage = "\(error)"
        }
    }
}
