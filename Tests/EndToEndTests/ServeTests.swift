import Foundation
import Testing
import TrendyProcesses

@Suite("trendy serve", .fewAtOnce, .timeLimit(.minutes(10)))
struct ServeTests {
    @Test("listens on loopback, says so first, and ends with 0 on SIGTERM and on SIGINT", arguments: [SIGTERM, SIGINT])
    func startAndStop(signal: Int32) async throws {
        let server = try await ServerProcess.start(data: Folder())
        #expect(server.port > 0)
        #expect(await server.stop(signal) == 0)
    }

    @Test("SIGHUP reads limits, quotas and logging anew, and drops no connection")
    func reload() async throws {
        let folder = try Folder()
        let file = try folder.write(#"{"log-level": "error"}"#, to: "server.json")
        let server = try await ServerProcess.start(data: folder, "--config", file)
        let log = { try String(contentsOf: folder.url.appending(path: "server.log"), encoding: .utf8) }
        let device = try Device()
        try await device.signUp(at: server.address)
        let connection = try RawConnection(port: server.port)
        connection.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(connection.receive()?.hasPrefix("HTTP/1.1 200") == true)
        #expect(try log() == "")

        _ = try folder.write(#"{"log-level": "info", "log-format": "json", "quota-records": 1}"#, to: "server.json")
        server.process.signal(SIGHUP)
        while try !log().contains("the settings were reloaded") { await Task.yield() }
        connection.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(connection.receive()?.hasPrefix("HTTP/1.1 200") == true)
        #expect(try log().contains(#""route":"/health""#))
        try await device.log("coffee", "--create-type")
        let outcome = try await device.run("sync")
        #expect(outcome.status == 65, "\(outcome)")
        #expect(try await device.run("queue").output.contains("1 of at most 1 records"))

        _ = try folder.write(#"{"log-level": "loud"}"#, to: "server.json")
        server.process.signal(SIGHUP)
        while try !log().contains("the settings could not be reloaded") { await Task.yield() }
        #expect(await server.stop(SIGTERM) == 0)
    }

    @Test("more connections than it may have files open are refused, and it goes on")
    func fullOfConnections() async throws {
        // Each event loop needs some of them, and there is one for each core.
        let openFiles = 128 + 4 * ProcessInfo.processInfo.activeProcessorCount
        let folder = try Folder()
        let server = try await ServerProcess.start(data: folder, openFiles: openFiles)
        let device = try Device()
        try await device.signUp(at: server.address)
        do {
            let connections = try (0..<openFiles + 100).map { _ in try RawConnection(port: server.port) }
            for connection in connections {
                connection.send("GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer no\r\n\r\n")
            }
            let statuses = connections.map { $0.receive().map { String($0.prefix(12)) } }
            let log = try String(contentsOf: folder.url.appending(path: "server.log"), encoding: .utf8)
            // All come from one address, which gets nearly all connections, but not each of them.
            #expect(Set(statuses).isSubset(of: ["HTTP/1.1 401", "HTTP/1.1 429", ""]), "\(statuses)\n\(log)")
            #expect(statuses.count { $0 == "HTTP/1.1 401" } > 20)
            #expect(statuses.contains("HTTP/1.1 429"))
            #expect(server.process.exit == nil)
        }
        try await device.log("coffee", "--create-type")
        #expect(try await device.sync().pushed == 2)
        #expect(await server.stop(SIGTERM) == 0)
    }

    @Test("a port in use is one clear line")
    func portInUse() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        let data = try device.folder.makeSubfolder()
        let outcome = try await device.run("serve", "--port", "\(server.port)", "--data", data.path)
        expectFailure(outcome, 69, mentions: "\(server.port)")
        #expect(outcome.output == "")
    }

    @Test("a folder that cannot be written is one clear line")
    func unwritableFolder() async throws {
        let device = try Device()
        let file = try device.folder.write("not a folder", to: "file")
        let outcome = try await device.run("serve", "--port", "0", "--data", file + "/data")
        expectFailure(outcome, mentions: file)
        #expect(outcome.output == "")
    }

    @Test("a port that is none is a usage error", arguments: ["-1", "65536", "http", ""])
    func badPort(port: String) async throws {
        let outcome = try await Device().run("serve", "--port=\(port)")
        #expect(outcome.status == 64 && !outcome.wasSignalled, "\(outcome)")
    }
}
