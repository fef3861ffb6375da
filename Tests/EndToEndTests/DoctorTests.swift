import Foundation
import Testing
import TrendyDomain

/// Real processes, a real server, and a store that somebody has changed with SQL.
@Suite("trendy doctor as a process", .fewAtOnce, .timeLimit(.minutes(10)))
struct DoctorTests {
    @Test("finds exactly what was done to the file, mends it, and keeps what waits")
    func verify() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let (laptop, phone) = (try Device(), try Device())
        try await laptop.signUp(at: server.address)
        try await laptop.done("type", "add", "run")
        var events: [LocalRecord<Event>] = []
        for day in 1...6 {
            events.append(try await laptop.log("run", "--note", "n\(day)", "--at", "2026-01-0\(day)T10:00:00Z"))
        }
        try await laptop.sync()
        let well = try await laptop.verify()
        #expect(well.checks.allSatisfy { $0.level == "ok" }, "\(well.checks)")
        #expect(well.verification?.clean == true)

        let waiting = try await laptop.log("run", "--note", "waits", "--at", "2026-02-01T10:00:00Z")
        try await laptop.done("edit", events[3].id, "--note", "edited")
        let foreign = "01a1fdb6-8785-7766-b458-fcf6c61fbdcf"
        try DatabaseFile(of: laptop).execute(
            """
            DELETE FROM event WHERE id = id_bytes('\(events[0].id)');
            UPDATE event SET notes = 'tampered' WHERE id = id_bytes('\(events[1].id)');
            UPDATE event SET properties = '{' WHERE id = id_bytes('\(events[2].id)');
            UPDATE event SET location_name = 'nowhere' WHERE id = id_bytes('\(events[3].id)');
            CREATE TEMP TABLE copy AS SELECT * FROM event WHERE id = id_bytes('\(events[4].id)');
            UPDATE copy SET id = id_bytes('\(foreign)'), notes = 'foreign', timestamp = timestamp + 1000,
                created_at = NULL, updated_at = NULL, revision = 0;
            INSERT INTO event SELECT * FROM copy;
            UPDATE sync_count SET number = number + 1 WHERE name = 'record:event';
            """)
        let found = try await laptop.verify(expecting: 65)
        let kinds = Dictionary(uniqueKeysWithValues: found.differences.map { ($0.id, $0.kind) })
        #expect(
            kinds == [
                events[0].id: "only_there", events[1].id: "fields", events[2].id: "unreadable", events[3].id: "fields",
                foreign: "only_here",
            ])

        let mended = try await laptop.verify(repairing: true)
        let outcomes = Dictionary(uniqueKeysWithValues: mended.differences.map { ($0.id, $0.outcome) })
        #expect(outcomes[foreign] == "queued" && outcomes.values.count { $0 == "brought_in" } == 4)
        #expect(try await laptop.verify().differences.isEmpty)
        let sent = try await laptop.sync()
        #expect(sent.pushed == 3 && sent.parked == 0)
        #expect(try await laptop.verify().differences.isEmpty)

        try await phone.logIn(at: server.address)
        try await phone.sync()
        try await expectAgreement(laptop, phone)
        let notes = try await phone.events().reduce(into: [:]) { $0[$1.id] = $1.entity.notes }
        #expect(notes[events[0].id] == "n1" && notes[events[1].id] == "n2" && notes[events[2].id] == "n3")
        #expect(notes[events[3].id] == "edited" && notes[waiting.id] == "waits" && notes[foreign] == "foreign")
        let digests = try await (laptop.verify(), phone.verify())
        #expect(digests.0.digests == digests.1.digests && digests.0.digests.count == 4)
    }

    @Test("sees that a number of the store is not what is there, and counts anew")
    func counts() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let laptop = try Device()
        try await laptop.signUp(at: server.address)
        try await laptop.log("run", "--create-type")
        try await laptop.sync()
        try DatabaseFile(of: laptop).execute("UPDATE sync_count SET number = number + 7 WHERE name = 'record:event'")
        #expect(try await laptop.status().counts["event"] == 8)
        let found = try await laptop.json(DoctorOutput.self, "doctor").checks.filter { $0.level != "ok" }
        #expect(found.map(\.message) == ["the stored count of event records is 8, but the right one is 1"])
        let mended = try await laptop.verify(repairing: true)
        #expect(mended.checks.allSatisfy { $0.level == "ok" } && mended.verification?.clean == true)
        #expect(try await laptop.status().counts["event"] == 1)
    }

    @Test("sees that the server is gone, that the sign-in has ended and that the file is damaged, each with its code")
    func troubles() async throws {
        let data = try Folder()
        let server = try await ServerProcess.start(data: data)
        let laptop = try Device()
        try await laptop.signUp(at: server.address)
        for _ in 0..<20 { try await laptop.log("run", "--create-type") }
        try await laptop.sync()
        var stranger = laptop
        stranger.environment = ["TRENDY_SERVER": server.address, "TRENDY_TOKEN": "not a token"]
        let refused = try await stranger.run("doctor", "--json")
        #expect(refused.status == 77, "\(refused)")
        await server.stop(SIGKILL)
        let gone = try await laptop.run("doctor", "--verify", "--json")
        #expect(gone.status == 69, "\(gone)")
        try Data("no database".utf8).write(to: laptop.home.appending(path: "trendy.sqlite"))
        for name in ["trendy.sqlite-wal", "trendy.sqlite-shm"] {
            try? FileManager.default.removeItem(at: laptop.home.appending(path: name))
        }
        let damaged = try await laptop.run("doctor", "--verify", "--json")
        #expect(damaged.status == 65 && damaged.errorLines.count == 1, "\(damaged)")
    }
}

extension Device {
    fileprivate func verify(repairing: Bool = false, expecting status: Int32 = 0) async throws -> DoctorOutput {
        let outcome = try await run("doctor", repairing ? "--repair" : "--verify", "--json")
        guard outcome.status == status else { throw Unexpected("ended otherwise than with \(status)", outcome) }
        return try outcome.decode(DoctorOutput.self)
    }
}

/// What `trendy doctor --json` writes.
private struct DoctorOutput: Decodable {
    struct Check: Decodable {
        var check: String
        var level: String
        var message: String
    }

    struct Verification: Decodable {
        var clean: Bool
        var kinds: [Kind]
        var differences: [Difference]
    }

    struct Kind: Decodable {
        var digest: String

        private enum CodingKeys: String, CodingKey {
            case digest = "digest_here"
        }
    }

    struct Difference: Decodable {
        var id: String
        var kind: String
        var outcome: String
    }

    var checks: [Check]
    var verification: Verification?

    var differences: [Difference] { verification?.differences ?? [] }
    var digests: [String] { verification?.kinds.map(\.digest) ?? [] }
}
