import Foundation
import Testing
import TrendyFaultProxy

@Suite("A server that comes back from a backup", .fewAtOnce, .timeLimit(.minutes(10)))
struct RestoredServerTests {
    /// A server that has lost what two devices know: a type and two events. The phone has logged something since.
    private struct Restored {
        let world: FaultyWorld
        let laptop: Device
        let phone: Device
        /// The notes that the phone has.
        let notes: [String]

        init() async throws {
            world = try await FaultyWorld.start()
            (laptop, phone) = (try world.makeDevice(), try world.makeDevice())
            try await laptop.importNotes(["before"], type: "swim")
            try await laptop.sync()
            let backup = world.data.url.appending(path: "backup")
            try await world.whileServerIsDown { try FileManager.default.copyItem(at: $0, to: backup) }
            try await laptop.importNotes(["lost 1", "lost 2"], type: "run")
            try await laptop.sync()
            try await phone.sync()
            try await world.whileServerIsDown { data in
                try FileManager.default.removeItem(at: data)
                try FileManager.default.copyItem(at: backup, to: data)
            }
            try await phone.log("swim", "--note", "kept")
            notes = try DatabaseFile(of: phone).notes()
            let outcome = try await phone.run("sync")
            #expect(outcome.status == 65 && outcome.errors.contains("trendy queue list"), "\(outcome)")
            #expect(try DatabaseFile(of: phone).notes() == notes)
            let listed = try await phone.done("queue", "list").output
            #expect(listed.contains("the server lost it"), "\(listed)")
        }
    }

    @Test("has lost what a device still has, and gets it back where the person wants that")
    func sentAgain() async throws {
        let restored = try await Restored()
        let (world, laptop, phone) = (restored.world, restored.laptop, restored.phone)
        try await phone.done("queue", "retry", "--all")
        for device in [phone, laptop] { try await device.sync() }
        try await world.expectAgreement(of: laptop, phone)
        #expect(try DatabaseFile(of: laptop).notes() == restored.notes)
    }

    @Test("has lost what a device still has, and it goes from each device whose person lets it go")
    func letGo() async throws {
        let restored = try await Restored()
        let (world, laptop, phone) = (restored.world, restored.laptop, restored.phone)
        #expect(try await laptop.run("sync").status == 65)
        for device in [phone, laptop] {
            let numbers = try await device.json([Waiting].self, "queue").map { "\($0.id)" }
            #expect(!numbers.isEmpty)
            try await device.done(["queue", "drop", "--yes"] + numbers)
        }
        try await laptop.importNotes(["later"], type: "walk")
        try await laptop.sync()
        try await world.expectAgreement(of: laptop, phone)
        let left = restored.notes.filter { !$0.hasPrefix("lost") } + ["later"]
        #expect(try DatabaseFile(of: phone).notes() == left.sorted())
    }
}

/// What `trendy queue --json` writes of a change.
private struct Waiting: Decodable {
    var id: Int64
}
