import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("credentials in a file")
struct CredentialStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "trendy-credentials-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "home/credentials.json") }

    private func credentials(_ token: String = "secret-token") throws -> Credentials {
        Credentials(
            server: try ServerAddress(parse: "https://trendy.example.org"), email: "ada@example.org", userId: "u1",
            accessToken: Secret(token), refreshToken: Secret("refresh"), obtainedAt: ManualWallClock.defaultStart)
    }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    private func withFolder(_ body: () throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    @Test("what is saved is loaded by another, from a file that only its owner can read")
    func roundTrip() throws {
        try withFolder {
            let store = FileCredentialStore(file: file)
            #expect(try store.load() == nil)
            try store.save(credentials())
            #expect(try FileCredentialStore(file: file).load() == credentials())
            #expect(try mode(file) == 0o600)
            #expect(try mode(file.deletingLastPathComponent()) == 0o700)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == [
                    "credentials.json"
                ])
        }
    }

    @Test("a file that others could read is closed to them by the next save")
    func tightens() throws {
        try withFolder {
            let store = FileCredentialStore(file: file)
            try store.save(credentials())
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            try store.save(credentials("other"))
            #expect(try mode(file) == 0o600)
        }
    }

    @Test("a change by another process is seen at once")
    func otherProcess() throws {
        try withFolder {
            let (here, there) = (FileCredentialStore(file: file), FileCredentialStore(file: file))
            try here.save(credentials("1"))
            #expect(try here.load()?.accessToken == Secret("1"))
            for round in 2..<20 {
                try there.save(credentials("\(round)"))
                #expect(try here.load()?.accessToken == Secret("\(round)"))
            }
            try there.clear()
            #expect(try here.load() == nil)
            try here.clear()
        }
    }

    @Test(
        "a damaged file is named, and stays",
        arguments: ["", "{", "[]", "{\"server\":\"nonsense\"}", "\u{0}\u{1}", "{\"server\":\"https://h\"}"])
    func damage(_ content: String) throws {
        try withFolder {
            let store = FileCredentialStore(file: file)
            try store.save(credentials())
            try Data(content.utf8).write(to: file)
            let error = #expect(throws: CredentialStoreError.self) { try store.load() }
            guard case .damaged(file.path, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(error?.description.contains(file.path) == true)
            #expect(try Data(contentsOf: file) == Data(content.utf8))
            try store.save(credentials("new"))
            #expect(try store.load()?.accessToken == Secret("new"))
        }
    }

    @Test("a folder in place of the file, or a file in place of the folder, is a clear error")
    func wrongPlaces() throws {
        try withFolder {
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            #expect(throws: CredentialStoreError.self) { try FileCredentialStore(file: file).load() }
            #expect(throws: CredentialStoreError.self) { try FileCredentialStore(file: file).save(credentials()) }
            let blocked = folder.appending(path: "plain/credentials.json")
            try Data().write(to: folder.appending(path: "plain"))
            #expect(throws: CredentialStoreError.self) { try FileCredentialStore(file: blocked).save(credentials()) }
            #expect(try FileCredentialStore(file: blocked).load() == nil)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "home").path)
            #expect(left == ["credentials.json"])
        }
    }

    @Test("one at a time may renew")
    func lock() throws {
        try withFolder {
            let (here, there) = (FileCredentialStore(file: file), FileCredentialStore(file: file))
            var held = try here.lockForRenewal()
            #expect(held != nil)
            #expect(try there.lockForRenewal() == nil)
            held = nil
            #expect(try there.lockForRenewal() != nil)
        }
    }

    @Test("a token of the environment can be used and not changed")
    func environment() throws {
        let server = try ServerAddress(parse: "https://trendy.example.org")
        let store = EnvironmentCredentialStore(token: "t", server: server)
        #expect(try store.load()?.accessToken == Secret("t"))
        #expect(throws: CredentialStoreError.readOnly(source: "TRENDY_TOKEN")) { try store.save(credentials()) }
        #expect(throws: CredentialStoreError.readOnly(source: "TRENDY_TOKEN")) { try store.clear() }
    }
}
