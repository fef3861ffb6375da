import Foundation
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// A folder for one test, gone with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "trendy-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// A store in a folder of its own.
struct TemporaryStore: DataStoreFactory {
    let folder: TemporaryFolder
    let factory: LocalStoreFactory

    init(schema: EntitySchema = .trendy, busyTimeout: Duration = .seconds(30)) throws {
        folder = try TemporaryFolder()
        factory = LocalStoreFactory(
            path: folder.path("trendy.sqlite"), schema: schema, migrations: StoreMigration.trendy + [.contractItem],
            busyTimeout: busyTimeout)
    }

    func makeDataStore() throws -> any DataStoreProtocol { try factory.makeDataStore() }
}

extension StoreMigration {
    /// The table of the kind that only the tests know.
    static let contractItem = StoreMigration("contract_item-1") {
        try $0.createTable(
            for: ContractItem.self,
            [
                .text("name"), .text("owner_id"), .integer("amount"), .real("ratio"), .boolean("is_done"),
                .timestamp("made_at"), .json("tags"), .json("sizes"),
            ],
            indexes: [["owner_id"]])
    }
}

extension DataStoreFactory {
    /// Does a piece of work in a unit of its own, and saves it.
    @discardableResult
    func saving<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        let store = try makeDataStore()
        let result = try body(store)
        try store.save()
        return result
    }
}
