import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// What a short-lived process does with the store when it ends.
@Suite("A store that is left open")
struct StoreLeavingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("trendy.sqlite")
    }

    private var hasLog: Bool { FileManager.default.fileExists(atPath: path + "-wal") }

    /// Writes as a process does that ends then.
    private func write(_ note: String, leavingOpen: Bool) throws {
        let factory = LocalStoreFactory(path: path)
        try factory.saving { try $0.upsertEvent(id: "e") { $0.notes = note } }
        if leavingOpen { factory.leaveOpen() }
    }

    @Test("its log stays where it is, and the next process reads it")
    func left() throws {
        try write("first", leavingOpen: true)
        #expect(hasLog)
        try write("second", leavingOpen: true)
        let store = LocalStoreFactory(path: path)
        #expect(try store.makeReader().find(Event.self, id: "e")?.entity.notes == "second")
        #expect(try store.makeReader().counts()[.event] == 1)
    }

    @Test("a long log is copied into the file by who ends")
    func longLog() throws {
        try write(String(repeating: "long ", count: 500_000), leavingOpen: true)
        #expect(!hasLog)
        #expect(try LocalStoreFactory(path: path).makeReader().counts()[.event] == 1)
    }

    @Test("who closes it last takes the log away")
    func closed() throws {
        try write("first", leavingOpen: false)
        #expect(!hasLog)
    }

    @Test("to leave what was never opened makes nothing")
    func unopened() {
        LocalStoreFactory(path: path).leaveOpen()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
