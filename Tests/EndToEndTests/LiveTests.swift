import Foundation
import Testing
import TrendyDomain
import TrendyFaultProxy
import TrendyProcesses

@Suite("Devices that watch", .fewAtOnce, .timeLimit(.minutes(10)))
struct LiveTests {
    /// Two devices of one account, and their server.
    private struct World {
        var server: ServerProcess
        let data: Folder
        let a: Device
        let b: Device

        static func start() async throws -> World {
            let data = try Folder()
            let world = World(
                server: try await ServerProcess.start(data: data), data: data, a: try Device(), b: try Device())
            try await world.a.signUp(at: world.server.address)
            try await world.b.logIn(at: world.server.address)
            try await world.b.sync()
            return world
        }

        mutating func restartServer() async throws {
            server = try await ServerProcess.start(data: data, port: server.port)
        }

        /// Watches, and polls once a day: what comes in a test came because it was told.
        func watch(_ device: Device) throws -> ChildProcess {
            try device.start("sync", "--watch", "--interval", "86400")
        }
    }

    private func wait(for note: String, on device: Device) async throws {
        #expect(
            try await RealTime.wait { try DatabaseFile(of: device).notes().contains(note) }, "\(note) does not come")
    }

    @Test("have what the other one logs without a poll, also after the server was killed, and end with 0 on Ctrl-C")
    func bothWatch() async throws {
        var world = try await World.start()
        try await world.a.log("run", "--create-type", "--note", "before")
        let watches = [try world.watch(world.a), try world.watch(world.b)]
        try await wait(for: "before", on: world.b)
        try await world.a.log("run", "--note", "from a")
        try await wait(for: "from a", on: world.b)
        try await world.b.log("run", "--note", "from b")
        try await wait(for: "from b", on: world.a)
        await world.server.stop(SIGKILL)
        try await world.a.log("run", "--note", "without a server")
        try await world.restartServer()
        try await wait(for: "without a server", on: world.b)
        try await world.b.log("run", "--note", "with it again")
        try await wait(for: "with it again", on: world.a)
        for watch in watches {
            watch.signal(SIGINT)
            #expect(await watch.ended() == .code(0))
        }
    }

    @Test("begin without a server, and have everything when it is there; the server stops beside them")
    func offlineStart() async throws {
        var world = try await World.start()
        try await world.a.log("run", "--create-type", "--note", "before")
        await world.server.stop(SIGTERM)
        let watches = [try world.watch(world.a), try world.watch(world.b)]
        #expect(
            try await RealTime.wait {
                let ofA = try await world.a.json([JSONValue].self, "history").count
                let ofB = try await world.b.json([JSONValue].self, "history").count
                // The other one has synced before.
                return ofA >= 1 && ofB >= 2
            })
        try await world.restartServer()
        try await wait(for: "before", on: world.b)
        try await world.a.log("run", "--note", "after")
        try await wait(for: "after", on: world.b)
        #expect(await world.server.stop(SIGTERM) == 0)
        for watch in watches {
            #expect(watch.exit == nil)
            watch.signal(SIGTERM)
            #expect(await watch.ended() == .code(0))
        }
    }
}
