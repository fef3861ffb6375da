import Synchronization
import TrendyDomain

/// The stores of one process: they end with it.
///
/// A process can be told to die at one of its next saves, just before the commit or just after it. From then on
/// nothing that it does reaches the disk, as after `kill -9`.
final class MortalStores: DataStoreFactory {
    /// When a process dies.
    struct Death: Sendable {
        var savesBefore: Int
        /// Whether the last save is committed.
        var afterCommit: Bool
    }

    private struct State {
        var isDead = false
        var death: Death?
        var saves = 0
    }

    private let base: any DataStoreFactory
    private let tampering: (any StoreTampering)?
    private let state = Mutex(State())

    init(_ base: any DataStoreFactory, tampering: (any StoreTampering)?) {
        self.base = base
        self.tampering = tampering
    }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// How many saves have been committed.
    var saves: Int { state.withLock { $0.saves } }

    func die() { state.withLock { $0.isDead = true } }

    func die(at death: Death?) { state.withLock { $0.death = death } }

    func makeDataStore() throws -> any DataStoreProtocol {
        try checkAlive()
        let store = MortalStore(try base.makeDataStore(), self)
        return try tampering?.tampered(store) ?? store
    }

    func checkAlive() throws {
        if isDead { throw Self.dead }
    }

    /// Commits, unless death comes first.
    func save(_ store: any DataStoreProtocol) throws {
        let death = state.withLock { state -> Death? in
            guard let death = state.death else { return nil }
            if death.savesBefore > 0 {
                state.death?.savesBefore -= 1
                return nil
            }
            state.death = nil
            return death
        }
        try checkAlive()
        if let death, !death.afterCommit {
            die()
            throw Self.dead
        }
        try store.save()
        state.withLock { $0.saves += 1 }
        if death != nil {
            die()
            throw Self.dead
        }
    }

    static let dead = StoreError.failed("the process is dead")
}

/// What a planted bug does to the stores that an engine sees.
protocol StoreTampering: Sendable {
    func tampered(_ store: any DataStoreProtocol) throws -> any DataStoreProtocol
}

/// A unit of work of a process that may die.
final class MortalStore: ForwardingStore {
    private let stores: MortalStores

    init(_ base: any DataStoreProtocol, _ stores: MortalStores) {
        self.stores = stores
        super.init(base)
    }

    override func begin() throws {
        try stores.checkAlive()
        try super.begin()
    }

    override func save() throws { try stores.save(base) }
}
