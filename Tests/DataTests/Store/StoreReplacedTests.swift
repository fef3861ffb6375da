import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("A store whose file is removed or replaced while it is open")
struct StoreReplacedTests {
    private let folder: TemporaryFolder
    private let path: String
    private let factory: LocalStoreFactory

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("trendy.sqlite")
        factory = LocalStoreFactory(path: path)
        try factory.saving { try $0.upsertEvent(id: "old") { $0.notes = "n" } }
    }

    private func moveAway() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: path + ".old" + suffix)
        }
    }

    @Test("no further unit of work makes a new file, or writes to the other one", arguments: [false, true])
    func furtherUnits(isReplaced: Bool) throws {
        // It has the only connection, so that the next unit needs another one.
        let unit = try factory.makeDataStore()
        try moveAway()
        if isReplaced { try Data().write(to: URL(fileURLWithPath: path)) }
        #expect(throws: StoreError.replaced(path: path)) { try factory.makeDataStore() }
        #expect(throws: StoreError.replaced(path: path)) { try factory.requireSameFile() }
        #expect((try? Data(contentsOf: URL(fileURLWithPath: path))) == (isReplaced ? Data() : nil))
        #expect(try unit.count(Event.self) == 1)
    }

    @Test("a store that is not open yet has no file to be the same as")
    func unopened() throws {
        try moveAway()
        let other = LocalStoreFactory(path: path)
        try other.requireSameFile()
        #expect(try other.makeDataStore().count(Event.self) == 0)
        try other.requireSameFile()
    }
}
