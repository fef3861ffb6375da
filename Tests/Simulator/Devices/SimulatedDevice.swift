import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A device: a store on disk, a clock, a sign-in, and up to two processes that use them.
final class SimulatedDevice {
    let index: Int
    let clock: ManualWallClock
    let credentials: InMemoryCredentialStore
    let identifiers: UUIDv7Generator
    let memo = FieldMemo()
    /// What its processes have saved since somebody looked.
    let touches = Touches()
    /// What was read of its store when somebody looked last, and has not been written since.
    var look = StoreLook()
    /// What was written since checkers were told of a commit last; nil where nothing was.
    var unseen: Touches.Written?
    /// Whether its version of Trendy knows the newest kind of record.
    private(set) var knowsMemos: Bool
    private(set) var stores: LocalStoreFactory
    private(set) var processes: [DeviceProcess] = []
    /// The numbers by which processes work that start from now on.
    private(set) var sizes: Sizes
    private let environment: DeviceEnvironment
    private let folder: URL
    private var file: String
    private var copies = 0
    private var incarnations = 0

    init(
        index: Int, seed: UInt64, folder: URL, knowsMemos: Bool, credentials: Credentials,
        sizes: Sizes, environment: DeviceEnvironment
    ) throws {
        self.index = index
        self.knowsMemos = knowsMemos
        self.sizes = sizes
        self.environment = environment
        clock = ManualWallClock()
        self.credentials = InMemoryCredentialStore(credentials)
        identifiers = UUIDv7Generator.seeded(seed &* 31 &+ UInt64(index), clock: clock)
        self.folder = folder
        file = folder.appending(path: "device-\(index).sqlite").path
        try NewStore.copy(to: file, knowsMemos) { Self.open($0, knowsMemos) }
        stores = Self.open(file, knowsMemos)
        processes = [0, 1].map { makeProcess($0) }
    }

    private static func open(_ file: String, _ knowsMemos: Bool) -> LocalStoreFactory {
        LocalStoreFactory(
            path: file, schema: schema(knowsMemos),
            migrations: StoreMigration.trendy + (knowsMemos ? [Memo.migration] : []))
    }

    var schema: EntitySchema { Self.schema(knowsMemos) }

    private static func schema(_ knowsMemos: Bool) -> EntitySchema { knowsMemos ? withMemos : .trendy }

    private static let withMemos = (try? EntitySchema(EntitySchema.trendy.types + [Memo.self])) ?? .trendy

    private func makeProcess(_ number: Int) -> DeviceProcess {
        incarnations += 1
        return DeviceProcess(self, number: number, incarnation: incarnations, environment)
    }

    /// Starts a process that has died.
    func restart(_ number: Int) { processes[number] = makeProcess(number) }

    /// Installs the newest version; its processes start anew.
    func upgrade() {
        knowsMemos = true
        stores = Self.open(file, true)
        startAnew()
    }

    /// Its store's files as they are now, while nothing is being written.
    func files() throws -> StoreFiles { try StoreFiles(at: file) }

    /// Goes on with a copy of a store. Its processes start anew.
    func goOn(with files: StoreFiles, knowsMemos: Bool) throws {
        copies += 1
        file = folder.appending(path: "device-\(index)-\(copies).sqlite").path
        try files.write(to: file)
        self.knowsMemos = knowsMemos
        stores = Self.open(file, knowsMemos)
        _ = touches.take()
        (look, unseen) = (StoreLook(), nil)
        startAnew()
    }

    /// Starts every process anew, with other numbers.
    func restart(with sizes: Sizes) {
        self.sizes = sizes
        startAnew()
    }

    /// Ends every process and starts it again. A task of the old one may still wait, for the lease say: it must not
    /// go on beside the new one.
    private func startAnew() {
        for process in processes {
            process.stores.die()
            environment.living.remove(process.incarnation)
        }
        processes = [0, 1].map { makeProcess($0) }
    }

    /// Forgets of the last look what has been written since.
    func noteTouches() {
        guard let written = touches.take() else { return }
        if written.mutations { look.open = nil }
        if written.metadata { look.place = nil }
        if written.documents { (look.conflicts, look.aside) = (nil, nil) }
        if unseen == nil { unseen = written } else { unseen?.merge(written) }
    }

    /// A reader beside the processes.
    func reader() throws -> any DataStoreProtocol { try stores.makeDataStore() }

    var isSyncing: Bool { processes.contains { $0.isSyncing } }
}
