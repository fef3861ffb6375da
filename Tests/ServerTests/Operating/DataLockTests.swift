import Foundation
import Testing

@testable import TrendyServer

@Suite("The lock of a server's data")
struct DataLockTests {
    @Test("is shared by servers and commands, and kept from who needs the data alone until all are gone")
    func sharing() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            var stores: [SQLiteServerStore] = []
            for _ in 0..<2 { stores.append(try SQLiteServerStore(file: file)) }
            #expect(throws: ServerStartError.self) { try DataLock(of: file, .exclusive) }
            stores.removeLast()
            #expect(throws: ServerStartError.self) { try DataLock(of: file, .exclusive) }
            stores.removeAll()
            let lock = try DataLock(of: file, .exclusive)
            #expect { try SQLiteServerStore(file: file) } throws: { error in
                "\(error)".contains("is being restored or moved")
            }
            withExtendedLifetime(lock) {}
        }
    }

    @Test("closes its file once where somebody else has the data, and no file that another thread has opened since")
    func refusals() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            let lock = try DataLock(of: file, .exclusive)
            let taken = await withTaskGroup(of: Int.self) { group in
                group.addTask {
                    (0..<20_000).count { _ in
                        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                        return close(descriptor) != 0
                    }
                }
                for _ in 0..<5_000 {
                    #expect(throws: ServerStartError.self) { try DataLock(of: file, .exclusive) }
                }
                return await group.next()
            }
            #expect(taken == 0)
            withExtendedLifetime(lock) {}
        }
    }
}
