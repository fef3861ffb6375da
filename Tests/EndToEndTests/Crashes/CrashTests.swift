import Foundation
import Testing

/// `kill -9` at random moments. `make crash` runs many of these, `swift test` a few.
@Suite("kill -9", .serialized, .fewAtOnce, .timeLimit(.minutes(30)))
struct CrashTests {
    @Test("trendy sync: the next one is right, and nothing is sent twice or lost")
    func syncing() async throws {
        let world = try await FaultyWorld.start()
        let device = try world.makeDevice()
        try await device.sync()
        var plan = try await CrashPlan("sync")
        let store = DatabaseFile(of: device)
        for number in -1..<CrashPlan.share {
            let file = try device.writeRows(150, named: "sync\(number)")
            try await device.done("import", "csv", file, "--time", "t", "--type", "k", "--note", "n")
            try await device.done("edit", try #require(store.eventId(note: "sync\(number)-0")), "--clear-note")
            let before = try store.notes()
            if number < 0 {
                try await plan.learn { try await device.sync() }
                continue
            }
            _ = try await plan.strike { try device.start("sync") }
            #expect(try store.notes() == before, plan.note)
            #expect(try store.integrity() == "ok", plan.note)
            // Now and then the work of several kills adds up.
            guard Bool.random(using: &plan.random) || number == CrashPlan.share - 1 else { continue }
            let next = try await device.syncUnderFaults()
            #expect(next.status == 0, plan.note)
            #expect(try store.queue() == [], plan.note)
        }
        try await world.expectAgreement(of: device)
        #expect(try world.serverData.hasDoneAllOnce(), plan.note)
        plan.summarize()
    }

    @Test("the first sync of a device: readers see never less than before, and the next sync completes it")
    func bootstrapping() async throws {
        let world = try await FaultyWorld.start()
        let owner = try world.makeDevice()
        let file = try owner.writeRows(3000, named: "there")
        try await owner.done("import", "csv", file, "--time", "t", "--type", "k", "--note", "n")
        try await owner.sync()
        let expected = try DatabaseFile(of: owner).records()
        let total = try await owner.events().count
        var plan = try await CrashPlan("first sync")
        try await plan.learn { try await world.makeDevice().sync() }
        for _ in 0..<CrashPlan.share {
            let device = try world.makeDevice()
            _ = try await plan.strike { try device.start("sync") }
            let seen = try DatabaseFile(of: device).notes()
            #expect(seen.count <= total && Set(seen).count == seen.count, plan.note)
            #expect(try DatabaseFile(of: device).integrity() == "ok", plan.note)
            let next = try await device.syncUnderFaults()
            #expect(next.status == 0, plan.note)
            #expect(Set(seen).isSubset(of: try DatabaseFile(of: device).notes()), plan.note)
            #expect(try DatabaseFile(of: device).records() == expected, plan.note)
        }
        plan.summarize()
    }

    @Test("trendy serve: what it has answered is there, and a sync that it died under goes on")
    func serving() async throws {
        let world = try await FaultyWorld.start()
        let device = try world.makeDevice()
        try await device.sync()
        var plan = try await CrashPlan("serve")
        let store = DatabaseFile(of: device)
        for number in -1..<CrashPlan.share {
            let file = try device.writeRows(150, named: "serve\(number)")
            try await device.done("import", "csv", file, "--time", "t", "--type", "k", "--note", "n")
            if number < 0 {
                try await plan.learn { try await device.sync() }
                continue
            }
            _ = try await plan.strike(victim: world.server.process) { try device.start("sync") }
            #expect(try world.serverData.integrity() == "ok", plan.note)
            #expect(try store.integrity() == "ok", plan.note)
            #expect(try store.acceptedIds().isSubset(of: world.serverData.serverIds(of: "event")), plan.note)
            try await world.restartServer()
            let next = try await device.syncUnderFaults()
            #expect(next.status == 0, plan.note)
            #expect(try store.queue() == [], plan.note)
        }
        try await world.expectAgreement(of: device)
        #expect(try world.serverData.hasDoneAllOnce(), plan.note)
        plan.summarize()
    }
}
