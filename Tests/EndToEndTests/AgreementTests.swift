import Foundation
import Testing
import TrendyDomain

@Suite("Two devices and a server, as real processes", .fewAtOnce, .timeLimit(.minutes(10)))
struct AgreementTests {
    @Test("what was logged with no network reaches a device that starts from nothing")
    func offlineFirst() async throws {
        let data = try Folder()
        let (laptop, phone) = (try Device(), try Device())
        try await laptop.done("type", "add", "coffee", "--color", "#6F4E37", "--icon", "☕️")
        try await laptop.done("prop", "add", "coffee", "size", "--kind", "number", "--label", "Size")
        let logged = try await laptop.log(
            "coffee", "--note", "first", "--prop", "size=2", "--at", "2026-01-02T03:04:05Z")
        #expect(logged.syncStatus == .pending)

        let server = try await ServerProcess.start(data: data)
        try await laptop.signUp(at: server.address)
        let pushed = try await laptop.sync()
        #expect(pushed.pushed == 3 && pushed.pending == 0 && pushed.parked == 0)

        try await phone.logIn(at: server.address)
        let pulled = try await phone.sync()
        #expect(pulled.bootstrapped)
        #expect(pulled.pulled == 3)
        let received = try #require(try await phone.events().first)
        #expect(received.entity == logged.entity)
        #expect(received.syncStatus == .synced)
        #expect(received.entity.properties["size"] == .number(2))
        try await expectAgreement(laptop, phone)
        #expect(await server.stop(SIGTERM) == 0)
    }

    @Test("work on both sides while the server is dead, which was killed and comes back on the same data")
    func killedServer() async throws {
        let data = try Folder()
        let (laptop, phone) = (try Device(), try Device())
        let first = try await ServerProcess.start(data: data)
        try await laptop.signUp(at: first.address)
        try await laptop.done("type", "add", "run")
        let kept = try await laptop.log("run", "--note", "keep", "--at", "2026-01-01T10:00:00Z")
        let edited = try await laptop.log("run", "--note", "old", "--at", "2026-01-02T10:00:00Z")
        let cleared = try await laptop.log("run", "--note", "away with it", "--at", "2026-01-03T10:00:00Z")
        let doomed = try await laptop.log("run", "--note", "doomed", "--at", "2026-01-04T10:00:00Z")
        try await laptop.sync()
        try await phone.logIn(at: first.address)
        try await phone.sync()

        let port = first.port
        await first.stop(SIGKILL)
        try await laptop.done("edit", edited.id, "--note", "new")
        try await laptop.done("edit", cleared.id, "--clear-note")
        let extra = try await phone.log("run", "--note", "from the phone", "--at", "2026-01-05T10:00:00Z")
        try await phone.done("rm", doomed.id)
        try await phone.done("type", "edit", "run", "--name", "jog")
        let unreachable = try await laptop.run("sync", "--json")
        #expect(unreachable.status == 69, "\(unreachable)")

        let second = try await ServerProcess.start(data: data, port: port)
        #expect(second.address == first.address)
        for device in [laptop, phone, laptop, phone] { try await device.sync() }
        try await expectAgreement(laptop, phone)

        let notes = try await laptop.events().reduce(into: [:]) { $0[$1.id] = .some($1.entity.notes) }
        #expect(
            notes == [
                kept.id: "keep", edited.id: "new", cleared.id: nil, extra.id: "from the phone",
            ])
        #expect(try await laptop.types().map(\.entity.name) == ["jog"])
        #expect(await second.stop(SIGTERM) == 0)
    }

    @Test("edits of different fields of one record on two devices both stand")
    func differentFields() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let (laptop, phone) = (try Device(), try Device())
        try await laptop.signUp(at: server.address)
        let event = try await laptop.log("walk", "--create-type", "--note", "a")
        try await laptop.sync()
        try await phone.logIn(at: server.address)
        try await phone.sync()
        try await laptop.done("edit", event.id, "--note", "b")
        try await phone.done("edit", event.id, "--at", "2026-02-03T04:05:06Z")
        for device in [laptop, phone, laptop, phone] { try await device.sync() }
        try await expectAgreement(laptop, phone)
        let result = try #require(try await phone.events().first?.entity)
        #expect(result.notes == "b")
        #expect(result.timestamp.description == "2026-02-03T04:05:06.000Z")
    }

    @Test("a full resync keeps unsent work and ends with the same records")
    func fullResync() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let (laptop, phone) = (try Device(), try Device())
        try await laptop.signUp(at: server.address)
        try await laptop.log("tea", "--create-type", "--at", "2026-01-01T00:00:00Z")
        try await laptop.sync()
        try await phone.logIn(at: server.address)
        try await phone.sync()
        let unsent = try await phone.log("tea", "--at", "2026-01-02T00:00:00Z")
        let full = try await phone.json(SyncOutput.self, "sync", "--full")
        #expect(full.bootstrapped && full.pending == 0)
        try await laptop.sync()
        try await expectAgreement(laptop, phone)
        #expect(try await laptop.events().contains { $0.id == unsent.id })
    }

    @Test("places and their deletion travel too")
    func places() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let (laptop, phone) = (try Device(), try Device())
        try await laptop.signUp(at: server.address)
        try await laptop.done("type", "add", "arrive")
        try await laptop.done("place", "add", "home", "--lat", "52.5", "--lon", "13.4", "--enter", "arrive")
        try await laptop.done("place", "add", "work", "--lat", "-33.9", "--lon", "151.2", "--radius", "250")
        try await laptop.sync()
        try await phone.logIn(at: server.address)
        try await phone.sync()
        try await phone.done("place", "rm", "work", "--yes")
        try await phone.sync()
        try await laptop.sync()
        try await expectAgreement(laptop, phone)
        let places = try await laptop.json([LocalRecord<Geofence>].self, "place", "list")
        #expect(places.map(\.entity.name) == ["home"])
        #expect(places.first?.entity.eventTypeEntryId != nil)
    }
}
