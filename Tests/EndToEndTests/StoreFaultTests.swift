import Foundation
import Testing
import TrendyDomain

@Suite("A store that cannot be used", .fewAtOnce, .timeLimit(.minutes(10)))
struct StoreFaultTests {
    @Test("one that is damaged is named, and left as it is")
    func corrupt() async throws {
        let device = try Device()
        try await device.log("coffee", "--create-type")
        let store = try #require(try storeFile(of: device))
        let garbage = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
        try garbage.write(to: store)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
        for command in [["list"], ["log", "coffee"], ["status"]] {
            expectFailure(try await device.run(command), mentions: "damaged")
        }
        #expect(try Data(contentsOf: store) == garbage)
    }

    @Test("one that only a sync finds damaged names its backup")
    func damagedBelow() async throws {
        let world = try await FaultyWorld.start()
        let (laptop, phone) = (try world.makeDevice(), try world.makeDevice())
        for device in [laptop, phone] { try await device.sync() }
        let backup = phone.home.appending(path: "copy.sqlite").path
        try await phone.done("backup", backup)
        try await laptop.log("run", "--note", "new")
        try await laptop.sync()
        try DatabaseFile(of: phone).damage("event")
        for command in [["sync"], ["sync", "--full"]] {
            expectFailure(try await phone.run(command), 65, mentions: "damaged", "trendy restore", backup)
        }
    }

    @Test("a home that is a file, or lies below one")
    func homeIsAFile() async throws {
        var device = try Device()
        let file = try device.folder.write("precious", to: "precious.txt")
        for home in [file, file + "/deeper"] {
            device = Device(home: URL(filePath: home), folder: device.folder)
            expectFailure(try await device.run("log", "coffee", "--create-type"), mentions: "precious.txt")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    }

    @Test("a home that cannot be written", .enabled(if: getuid() != 0, "root writes everywhere"))
    func readOnlyHome() async throws {
        let device = try Device()
        try FileManager.default.createDirectory(
            at: device.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o500])
        expectFailure(try await device.run("log", "coffee", "--create-type"), mentions: device.home.path)
    }

    #if os(Linux)
        @Test("a home that nobody can write, not even root")
        func unwritableHome() async throws {
            let folder = try Folder()
            let device = Device(home: URL(filePath: "/sys/trendy"), folder: folder)
            expectFailure(try await device.run("log", "coffee", "--create-type"), 73, mentions: "/sys/trendy")
        }
    #endif

    private func storeFile(of device: Device) throws -> URL? {
        let files = FileManager.default.enumerator(atPath: device.home.path)?.compactMap { $0 as? String } ?? []
        let magic = Data("SQLite format 3\0".utf8)
        return try files.map { device.home.appending(path: $0) }.first { file in
            guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
            return try handle.read(upToCount: magic.count) == magic
        }
    }
}

extension Device {
    init(home: URL, folder: Folder) {
        self.home = home
        self.folder = folder
    }
}
