import Foundation
import OwnBackend
import Testing
import TrendyData
import TrendyDomain
import TrendySync

/// A device of one person, in a folder of its own.
struct Device {
    let book: ChoreBook
    private let folder: TestFolder
    private let ids = UUIDv7Generator()

    init(_ server: ChoreServer) throws {
        folder = try TestFolder()
        book = try ChoreBook(home: folder.url, server: server.address)
    }

    var chores: [Chore] {
        get throws { try book.chores().map(\.entity) }
    }

    func add(_ title: String, minutes: Int? = nil) async throws -> Chore {
        try await book.engine.create(Chore(id: ids.makeId(), title: title, minutes: minutes))
    }

    /// Changes the chore as this device has it now.
    func edit(_ id: String, _ change: (inout Chore) -> Void) async throws {
        var chore = try #require(try chores.first { $0.id == id })
        change(&chore)
        try await book.engine.update(chore)
    }

    func remove(_ chore: Chore) async throws {
        try await book.engine.delete(Chore.self, id: chore.id)
    }

    /// Syncs, and demands that everything was sent and understood.
    func sync(_ location: SourceLocation = #_sourceLocation) async {
        let report = await book.engine.performSync()
        #expect(report.failure == nil, "\(report.error ?? "")", sourceLocation: location)
        #expect(report.pending == 0 && report.failing == 0 && report.parked == 0, sourceLocation: location)
        #expect(report.quarantined == 0, sourceLocation: location)
    }
}

@Suite("Two devices and a backend that is not ours", .timeLimit(.minutes(2)))
struct TwoDevicesTests {
    /// Two devices of one person, signed in and empty.
    private func devices(_ server: ChoreServer) async throws -> (Device, Device) {
        let (phone, laptop) = (try Device(server), try Device(server))
        try await phone.book.client.signup(email: "ann", password: "correct horse")
        try await laptop.book.client.login(email: "ann", password: "correct horse")
        return (phone, laptop)
    }

    /// Demands that both devices and the server hold the same chores, the server's fields included.
    @discardableResult
    private func expectAgreement(
        _ first: Device, _ second: Device, _ location: SourceLocation = #_sourceLocation
    ) async throws -> [Chore] {
        let page = try await first.book.client.list(Chore.self, ListRequest(limit: .max))
        #expect(page.undecodable.isEmpty, sourceLocation: location)
        let server = page.records.map(\.entity)
        #expect(page.records.allSatisfy { $0.server.updatedAt != nil }, sourceLocation: location)
        #expect(try first.book.chores().map(\.entity) == server, sourceLocation: location)
        #expect(try second.book.chores().map(\.entity) == server, sourceLocation: location)
        return server
    }

    @Test("agree after both have added, changed and removed chores offline")
    func offlineEdits() async throws {
        let server = try await ChoreServer()
        let (phone, laptop) = try await devices(server)
        let sweep = try await phone.add("sweep", minutes: 20)
        let cook = try await phone.add("cook")
        let iron = try await phone.add("iron")
        await phone.sync()
        await laptop.sync()
        try await expectAgreement(phone, laptop)

        try await phone.edit(sweep.id) { $0.minutes = nil }
        try await phone.remove(cook)
        let dust = try await phone.add("dust")
        try await laptop.edit(sweep.id) { $0.isDone = true }
        try await laptop.edit(iron.id) { $0.title = "iron the shirts" }
        let wash = try await laptop.add("wash", minutes: 90)
        await phone.sync()
        await laptop.sync()
        await phone.sync()

        var (swept, shirts) = (sweep, iron)
        swept.isDone = true
        swept.minutes = nil
        shirts.title = "iron the shirts"
        #expect(
            try await expectAgreement(phone, laptop) == [swept, shirts, dust, wash].sorted { $0.id < $1.id })
    }

    @Test("agree after both have changed one field: the later sync wins, and the value that lost is kept")
    func sameField() async throws {
        let server = try await ChoreServer()
        let (phone, laptop) = try await devices(server)
        let sweep = try await phone.add("sweep")
        await phone.sync()
        await laptop.sync()
        try await phone.edit(sweep.id) { $0.title = "sweep the stairs" }
        try await laptop.edit(sweep.id) { $0.title = "sweep the yard" }
        await phone.sync()
        let report = await laptop.book.engine.performSync()
        #expect(report.failure == nil && report.conflicts == 1)
        await phone.sync()
        #expect(try await expectAgreement(phone, laptop).map(\.title) == ["sweep the yard"])
    }

    @Test("a device that comes late has everything, however many pages the lists have")
    func manyPages() async throws {
        let server = try await ChoreServer()
        let (phone, laptop) = try await devices(server)
        let ids = UUIDv7Generator()
        let chores = (0..<450).map { Chore(id: ids.makeId(), title: "chore \($0)") }
        try await phone.book.engine.create(contentsOf: chores)
        await phone.sync()
        await laptop.sync()
        #expect(try await expectAgreement(phone, laptop) == chores)
        try await laptop.edit(chores[449].id) { $0.isDone = true }
        await laptop.sync()
        await phone.sync()
        #expect(try await expectAgreement(phone, laptop).last?.isDone == true)
    }

    @Test("a change whose answer was lost takes effect once, though the backend knows no idempotency keys")
    func lostAnswers() async throws {
        let server = try await ChoreServer(losing: ["POST", "PATCH", "DELETE"].map { "\($0) /v2/chores" })
        let (phone, laptop) = try await devices(server)
        /// Syncs into the lost answer, and once more.
        func syncTwice() async throws {
            let report = await phone.book.engine.performSync()
            // Over a connection that was kept, the client has sent the request again at once.
            #expect(
                report.failure == nil && report.pending == 0 || report.failure == .unreachable && report.pending == 1)
            await phone.sync()
            await laptop.sync()
        }
        var sweep = try await phone.add("sweep")
        try await syncTwice()
        #expect(try await expectAgreement(phone, laptop) == [sweep])

        try await phone.edit(sweep.id) { $0.minutes = 20 }
        try await syncTwice()
        sweep.minutes = 20
        #expect(try await expectAgreement(phone, laptop) == [sweep])

        try await phone.remove(sweep)
        try await syncTwice()
        #expect(try await expectAgreement(phone, laptop).isEmpty)
    }

    @Test("what the backend refuses waits for the person, with the backend's reason")
    func refusal() async throws {
        let server = try await ChoreServer()
        let (phone, _) = try await devices(server)
        // The rules of the device know nothing of a summary.
        let blank = try await phone.add(" ")
        let good = try await phone.add("sweep")
        let report = await phone.book.engine.performSync()
        #expect(report.failure == nil && report.parked == 1 && report.pushed == 1)
        let parked = try phone.book.mutations().filter { $0.entityId == blank.id }
        guard case .parked(let reason)? = parked.first?.state else {
            Issue.record("\(parked) is not parked")
            return
        }
        #expect(reason.message.contains("a chore has a summary"))
        #expect(try phone.chores == [blank, good])
    }

    @Test("another person's chores stay hers, and a wrong secret is refused as such")
    func people() async throws {
        let server = try await ChoreServer()
        let (phone, _) = try await devices(server)
        _ = try await phone.add("sweep")
        await phone.sync()
        let other = try Device(server)
        await #expect(throws: APIError.unauthorized("no such person, or another secret", mayPass: true)) {
            try await other.book.client.login(email: "ann", password: "wrong horse")
        }
        try await other.book.client.signup(email: "bob", password: "battery staple")
        await other.sync()
        #expect(try other.chores.isEmpty)
    }
}
