import Foundation
import Testing
import TrendyFaultProxy
import TrendyProcesses

@Suite("A sync that nobody asks for", .fewAtOnce)
struct AutosyncTests {
    private func world() async throws -> (FaultyWorld, Device) {
        let world = try await FaultyWorld.start()
        var device = try world.makeDevice()
        try await device.sync()
        device.environment["TRENDY_AUTOSYNC"] = "true"
        return (world, device)
    }

    /// Waits until no background sync of the device waits any more.
    private func untilNoneWaits(_ device: Device) async throws {
        let path = device.home.appending(path: "autosync.lock").path
        let isFree = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let descriptor = open(path, O_RDWR)
                defer { close(descriptor) }
                continuation.resume(returning: flock(descriptor, LOCK_EX) == 0)
            }
        }
        #expect(isFree)
    }

    @Test("a burst of changes is on the server soon after, by one sync", .timeLimit(.minutes(5)))
    func burst() async throws {
        let (world, device) = try await world()
        let before = try await device.json([PastSyncJSON].self, "history").count
        let known = try world.serverData.recordCount()
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask { _ = try await device.log("run", "--note", "burst \(number)") }
            }
            try await group.waitForAll()
        }
        try await untilNoneWaits(device)
        var syncs = 0
        // A sync comes into the history when all of it is done.
        let isDone = try await RealTime.wait {
            syncs = try await device.json([PastSyncJSON].self, "history").count - before
            return try syncs > 0 && DatabaseFile(of: device).queue().isEmpty
        }
        #expect(isDone)
        #expect(try world.serverData.recordCount() == known + 4)
        // A machine under load may need longer for four commands than a burst lasts.
        #expect((1...3).contains(syncs), "\(syncs)")
    }

    @Test("the command ends without waiting for it, and leaves it none of its files", .timeLimit(.minutes(5)))
    func detached() async throws {
        var (world, device) = try await world()
        // The sync cannot end before it is let: nothing but that the command has ended ends the command's output.
        world.proxy.follow(FaultPlan(.holdAnswer))
        world.proxy.forgetRequests()
        device.environment["TRENDY_TIMEOUT"] = "600"
        let output = Pipe()
        let process = try Program.start(
            ["log", "run"], environment: device.variables, output: output.fileHandleForWriting,
            errors: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(await process.ended() == .code(0))
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("logged run"))
        try await world.proxy.waitForRequest { _ in true }
        #if os(Linux)
            try expectDetached(on: device)
        #endif
        world.proxy.follow(FaultPlan())
        let (database, proxy) = (DatabaseFile(of: device), world.proxy)
        // What was asked for may come to be held back only now.
        let isSent = try await RealTime.wait {
            proxy.release()
            return try database.queue().isEmpty
        }
        #expect(isSent)
        #expect(try world.serverData.integrity() == "ok")
    }

    #if os(Linux)
        /// The background sync leads a session of its own and has nothing but `/dev/null` for its streams.
        private func expectDetached(on device: Device) throws {
            let files = FileManager.default
            let found = try files.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter { pid in
                let command = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)
                let variables = try? String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
                return command == "trendy\0sync\0--background\03\0" && variables?.contains(device.home.path) == true
            }
            for pid in found {
                #expect(getsid(pid) == pid)
                for number in 0...2 {
                    #expect(try files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(number)") == "/dev/null")
                }
            }
            #expect(found.count == 1)
        }
    #endif

    @Test("a change that is made during a sync is sent by the one after it", .timeLimit(.minutes(5)))
    func following() async throws {
        let (world, device) = try await world()
        try await device.log("run", "--note", "first")
        try await untilNoneWaits(device)
        try await device.log("run", "--note", "second")
        #expect(try await RealTime.wait { try DatabaseFile(of: device).queue().isEmpty })
        let notes = try DatabaseFile(of: device).notes()
        #expect(notes.contains("first") && notes.contains("second"))
        #expect(try world.serverData.hasDoneAllOnce())
    }
}

/// What `trendy history --json` writes of a sync.
private struct PastSyncJSON: Decodable {
    let id: String
}
