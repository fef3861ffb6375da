import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// A device with a store of its own, signed in.
private final class Device: Sendable {
    let stores: LocalStoreFactory
    let client: APIClient
    let engine: SyncEngine

    init(_ home: TestHome, _ name: String, _ server: ServerAddress) {
        stores = LocalStoreFactory(path: home.path + "/\(name).sqlite")
        client = APIClient(server: server, credentials: InMemoryCredentialStore())
        engine = SyncEngine(networkClient: client, dataStoreFactory: stores)
    }

    /// Syncs, and demands that nothing went wrong.
    func sync(_ location: SourceLocation = #_sourceLocation) async {
        let report = await engine.performSync()
        #expect(report.failure == nil, "\(report.error ?? "")", sourceLocation: location)
        #expect(report.parked == 0 && report.pending == 0, sourceLocation: location)
    }

    func records<Entity: SyncEntity>(_ type: Entity.Type) throws -> [LocalRecord<Entity>] {
        try stores.makeReader().fetch(type).sorted { $0.id < $1.id }
    }
}

@Suite("Client against server over real sockets")
struct ClientServerTests {
    @Test("two devices and the server agree after offline edits of every kind of record")
    func twoDevices() async throws {
        let home = try TestHome()
        try await withServer { server in
            let (a, b) = (Device(home, "a", server), Device(home, "b", server))
            _ = try await a.client.signup(email: "ann@example.org", password: "correct horse")
            let run = try await a.engine.create(makeEventType(name: "run"))
            let coffee = try await a.engine.create(makeEventType(name: "coffee"))
            try await a.engine.create(makePropertyDefinition(eventTypeId: run.id, key: "km"))
            let home = try await a.engine.create(makeGeofence(eventTypeEntryId: run.id))
            let events = (0..<120).map { Self.event($0, types: [run, coffee], place: home) }
            try await a.engine.create(contentsOf: events)
            await a.sync()
            _ = try await b.client.login(email: "ann@example.org", password: "correct horse")
            await b.sync()
            try await expectAgreement(a, b, events: 120)

            var noted = events[0]
            noted.notes = "edited on A"
            var cleared = events[1]
            cleared.notes = nil
            try await a.engine.update(noted)
            try await a.engine.update(cleared)
            try await b.engine.create(contentsOf: [makeEvent(eventTypeId: run.id), makeEvent(eventTypeId: coffee.id)])
            try await b.engine.delete(Event.self, id: events[2].id)
            var renamed = run
            renamed.name = "jog"
            try await b.engine.update(renamed)
            try await b.engine.delete(Geofence.self, id: home.id)
            for _ in 0..<2 {
                await a.sync()
                await b.sync()
            }
            try await expectAgreement(a, b, events: 121)
            let seen = try b.records(Event.self).map(\.entity)
            #expect(seen.first { $0.id == noted.id }?.notes == "edited on A")
            #expect(seen.contains { $0.id == cleared.id && $0.notes == nil })
            #expect(try a.records(EventType.self).contains { $0.entity.name == "jog" })
            #expect(try a.records(Geofence.self).isEmpty)
        }
    }

    @Test("a type that is deleted on one device takes its events with it on the other")
    func cascade() async throws {
        let home = try TestHome()
        try await withServer { server in
            let (a, b) = (Device(home, "a", server), Device(home, "b", server))
            _ = try await a.client.signup(email: "ann@example.org", password: "correct horse")
            _ = try await b.client.login(email: "ann@example.org", password: "correct horse")
            let run = try await a.engine.create(makeEventType(name: "run"))
            try await a.engine.create(makeEvent(eventTypeId: run.id))
            await a.sync()
            await b.sync()
            try await b.engine.delete(EventType.self, id: run.id)
            await b.sync()
            await a.sync()
            try await expectAgreement(a, b, events: 0)
            #expect(try a.records(EventType.self).isEmpty)
        }
    }

    @Test("two accounts on one server see nothing of each other")
    func twoAccounts() async throws {
        let home = try TestHome()
        try await withServer { server in
            let (a, b) = (Device(home, "a", server), Device(home, "b", server))
            _ = try await a.client.signup(email: "ann@example.org", password: "correct horse")
            _ = try await b.client.signup(email: "bob@example.org", password: "battery staple")
            try await a.engine.create(makeEventType(name: "run"))
            try await b.engine.create(makeEventType(name: "run"))
            await a.sync()
            await b.sync()
            #expect(try a.records(EventType.self).count == 1)
            #expect(try a.records(EventType.self).map(\.id) != b.records(EventType.self).map(\.id))
        }
    }

    private static func event(_ number: Int, types: [EventType], place: Geofence) -> Event {
        let start = ManualWallClock.defaultStart.advanced(bySeconds: Double(number))
        let placeId = number % 3 == 0 ? place.id : nil
        return makeEvent(
            eventTypeId: types[number % types.count].id, timestamp: start, notes: "n\(number)", geofenceId: placeId,
            properties: ["km": PropertyValue.number(Double(number) / 4)])
    }

    /// Both devices and the server hold equal records.
    private func expectAgreement(_ a: Device, _ b: Device, events: Int) async throws {
        #expect(try a.records(Event.self).count == events)
        #expect(try a.records(Event.self) == b.records(Event.self))
        #expect(try a.records(EventType.self) == b.records(EventType.self))
        #expect(try a.records(PropertyDefinition.self) == b.records(PropertyDefinition.self))
        #expect(try a.records(Geofence.self) == b.records(Geofence.self))
        let served = try await a.client.getAllEvents(batchSize: 50).sorted { $0.id < $1.id }
        #expect(try served.map(shared) == a.records(Event.self).map(shared))
        let types = try await a.client.getEventTypes().sorted { $0.id < $1.id }
        #expect(try types.map(shared) == a.records(EventType.self).map(shared))
    }

    /// What a device and the older routes both tell of a record.
    private func shared<Entity: SyncEntity>(_ record: LocalRecord<Entity>) -> Remote<Entity> {
        shared(Remote(record.entity, server: record.server))
    }

    private func shared<Entity: SyncEntity>(_ record: Remote<Entity>) -> Remote<Entity> {
        let server = ServerFields(createdAt: record.server.createdAt, updatedAt: record.server.updatedAt)
        return Remote(record.entity, server: server)
    }
}

@MainActor
@Suite("Accounts from the command line", .serialized)
struct AccountCommandTests {
    @Test("the records of two accounts are never mixed in one store")
    func accounts() async throws {
        try await withServer { server in try await Self.mixing(server) }
    }

    @MainActor
    private static func mixing(_ server: ServerAddress) async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_SERVER"] = server.description
        let sign = { (verb: String, email: String) in
            try await shell.run([verb, "--email", email, "--password-stdin", "--json"], input: "long enough\n")
        }
        #expect(try await shell.run("type", "add", "run").status == 0)
        let ann = try await sign("signup", "ann@example.org")
        #expect(ann.status == 0, "\(ann.errors)")
        #expect(try ann.json()["signed_in"] == true)
        #expect(try await sign("signup", "ann@example.org").status == 65)
        #expect(try await shell.json("sync")["pushed"] == 1)
        #expect(try await shell.json("whoami")["email"] == "ann@example.org")
        let mode = try FileManager.default.attributesOfItem(atPath: shell.home.path + "/credentials.json")
        #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        let other = try TestShell()
        other.environment["TRENDY_SERVER"] = server.description
        let bob = try await other.run(
            ["signup", "--email", "bob@example.org", "--password-stdin"], input: "long enough")
        #expect(bob.status == 0)
        #expect(try await shell.run("logout").status == 0)
        let refused = try await sign("login", "bob@example.org")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("ann@example.org"))
        #expect(try await shell.run("sync").status == 77)
        #expect(try await sign("login", "ann@example.org").status == 0)
        #expect(try await sign("login", "nobody@example.org").status == 77)
        #expect(try await shell.json("sync")["state"] == "idle")
    }
}
