import Foundation
import Testing
import TrendyFaultProxy

@Suite("A server that comes back from a backup", .fewAtOnce, .timeLimit(.minutes(10)))
struct RestoredServerTests {
    @Test("ends every sync with what happened and what to do, until everything is fetched anew")
    func restored() async throws {
        let world = try await FaultyWorld.start()
        let (laptop, phone) = (try world.makeDevice(), try world.makeDevice())
        try await laptop.importNotes(["before"], type: "swim")
        try await laptop.sync()
        let backup = world.data.url.appending(path: "backup")
        try await world.whileServerIsDown { try FileManager.default.copyItem(at: $0, to: backup) }
        try await laptop.importNotes(["lost 1", "lost 2"], type: "run")
        try await laptop.sync()
        try await phone.sync()
        let notes = try DatabaseFile(of: phone).notes()
        try await world.whileServerIsDown { data in
            try FileManager.default.removeItem(at: data)
            try FileManager.default.copyItem(at: backup, to: data)
        }

        try await phone.log("swim", "--note", "kept")
        for _ in 0..<2 {
            let outcome = try await phone.run("sync")
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.errors.contains("restored from a backup"), "\(outcome)")
            #expect(outcome.errors.contains("trendy sync --full"), "\(outcome)")
        }
        #expect(try DatabaseFile(of: phone).notes() == (notes + ["kept"]).sorted())
        #expect(try await phone.run("sync", "--json").decode(SyncOutput.self).failure == "feed_replaced")

        // The first command is the one that keeps what the next one takes out.
        let copy = phone.home.path + "/copy.json"
        try await phone.done("export", "json", "--output", copy)

        // Whoever has not been told yet is told first.
        #expect(try await laptop.run("sync", "--full").status == 65)
        for device in [phone, laptop] { try await device.done("sync", "--full") }
        try await laptop.importNotes(["later"], type: "walk")
        try await laptop.sync()
        try await world.expectAgreement(of: laptop, phone)
        #expect(
            try DatabaseFile(of: phone).notes()
                == (notes + ["kept", "later"]).filter { !$0.hasPrefix("lost") }.sorted())

        // What the server has lost comes back from the copy, for everyone.
        try await phone.done("import", "json", copy)
        for device in [phone, laptop] { try await device.sync() }
        try await world.expectAgreement(of: laptop, phone)
        #expect(try DatabaseFile(of: laptop).notes() == (notes + ["kept", "later"]).sorted())
    }
}
