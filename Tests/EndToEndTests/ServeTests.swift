import Foundation
import Testing

@Suite("trendy serve", .fewAtOnce, .timeLimit(.minutes(10)))
struct ServeTests {
    @Test("listens on loopback, says so first, and ends with 0 on SIGTERM and on SIGINT", arguments: [SIGTERM, SIGINT])
    func startAndStop(signal: Int32) async throws {
        let server = try await ServerProcess.start(data: Folder())
        #expect(server.port > 0)
        #expect(await server.stop(signal) == 0)
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
