import Foundation
import Testing

extension CrashTests {
    @Test("trendy log: what it has acknowledged is there, what it has not is there once or not at all")
    func log() async throws {
        let world = try await FaultyWorld.start()
        let device = try world.makeDevice()
        try await device.done("type", "add", "crash")
        var plan = try await CrashPlan("log")
        for number in 0..<3 { try await plan.learn { try await device.log("crash", "--note", "first \(number)") } }
        var acknowledged = Set((0..<3).map { "first \($0)" })
        var attempted = acknowledged
        let output = device.folder.url.appending(path: "log.txt")
        let store = DatabaseFile(of: device)
        for number in 0..<CrashPlan.share {
            let note = "log \(number)"
            attempted.insert(note)
            let isHit = try await plan.strike { try device.start("log", "crash", "--note", note, output: output) }
            if try String(contentsOf: output, encoding: .utf8).hasSuffix("\n") { acknowledged.insert(note) }
            #expect(isHit || acknowledged.contains(note), plan.note)
            let notes = try store.notes()
            #expect(Set(notes).count == notes.count && attempted.isSuperset(of: notes), plan.note)
            #expect(acknowledged.isSubset(of: notes), plan.note)
            // A record and its mutation are both there, or neither.
            #expect(try store.queue().count == notes.count + 1, plan.note)
            #expect(try store.integrity() == "ok", plan.note)
        }
        let notes = try store.notes()
        try await world.expectAgreement(of: device)
        #expect(try store.notes().filter { attempted.contains($0) } == notes, plan.note)
        #expect(try world.serverData.hasDoneAllOnce(), plan.note)
        plan.summarize()
    }

    @Test("trendy import csv: the next import completes it, and no row is there twice")
    func importing() async throws {
        let world = try await FaultyWorld.start()
        let device = try world.makeDevice()
        let options = ["--time", "t", "--type", "k", "--note", "n"]
        var plan = try await CrashPlan("import csv")
        var expected: Set<String> = []
        let store = DatabaseFile(of: device)
        for number in -1..<CrashPlan.share {
            let name = "import\(number)"
            let file = try device.writeRows(500, named: name)
            let rows = Set((0..<500).map { "\(name)-\($0)" })
            if number < 0 {
                try await plan.learn { _ = try await device.done(["import", "csv", file] + options) }
            } else {
                let isHit = try await plan.strike {
                    try device.start("import", "csv", file, "--time", "t", "--type", "k", "--note", "n")
                }
                let notes = try store.notes()
                #expect(Set(notes).count == notes.count, plan.note)
                #expect(expected.isSubset(of: notes) && expected.union(rows).isSuperset(of: notes), plan.note)
                #expect(isHit || rows.isSubset(of: notes), plan.note)
                #expect(try store.integrity() == "ok", plan.note)
                try await device.done(["import", "csv", file] + options)
            }
            expected.formUnion(rows)
            let notes = try store.notes()
            #expect(notes.count == expected.count && expected == Set(notes), plan.note)
        }
        try await world.expectAgreement(of: device)
        #expect(try expected.isSubset(of: store.notes()), plan.note)
        #expect(try world.serverData.hasDoneAllOnce(), plan.note)
        plan.summarize()
    }
}
