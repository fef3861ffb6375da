import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A kind that comes in pages, has a name that no two share, and belongs to nothing.
private struct Item: SyncEntity {
    static let entityType: EntityType = "item"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    static let naturalKey = ["name", "size"]
    var id: String
    var name: String?
    var size = 1

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, size
    }
}

/// A kind that comes in pages and has no name: two are the same where everything but the id is.
private struct Entry: SyncEntity {
    static let entityType: EntityType = "entry"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    var id: String
    var moment: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, moment
    }
}

@Suite("The same thing made on two devices, of a kind that comes in pages")
struct PagedDuplicateTests {
    private let network: MockNetworkClient
    private let schema: EntitySchema

    init() throws {
        schema = try EntitySchema([Item.self])
        network = MockNetworkClient(
            schema: schema, capabilities: [Item.entityType: RouteCapabilities(listing: .paged(limit: 10))])
    }

    @Test("becomes one as soon as the pull has brought the other", arguments: ["milk", nil])
    func merges(_ name: String?) async throws {
        let devices = [Device(network, schema: schema, seed: 1), Device(network, schema: schema, seed: 2)]
        _ = await devices[1].engine.performSync()
        let first = try await devices[0].engine.create(Item(id: testId(1), name: name))
        _ = await devices[0].engine.performSync()
        try await devices[1].engine.create(Item(id: testId(2), name: name))
        var report = await devices[1].engine.performSync()
        #expect(report.parked == 0 && report.pending == 1)
        report = await devices[1].engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(try devices[1].store().fetch(Item.self, where: nil).map(\.id) == [first.id])
        #expect(try await network.records(Item.self).map(\.id) == [first.id])
    }

    @Test("becomes one too where the kind has no name, and the server takes no two that are alike")
    func mergesNameless() async throws {
        let network = MockNetworkClient(
            schema: try EntitySchema([Entry.self]),
            capabilities: [Entry.entityType: RouteCapabilities(listing: .paged(limit: 10))])
        let device = Device(network, schema: try EntitySchema([Entry.self]))
        _ = await device.engine.performSync()
        try await network.put(Entry(id: testId(1), moment: 10))
        try await device.engine.create(Entry(id: testId(2), moment: 10))
        let conflict = APIError.http(status: 409, problem: ProblemDetails(detail: "there is one at this moment"))
        await network.always(.fail(conflict), for: .create)
        var report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 1)
        report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(try device.store().fetch(Entry.self, where: nil).map(\.id) == [testId(1)])
    }

    @Test("lets its deletion go at once where it was refused and deleted meanwhile")
    func deletedMeanwhile() async throws {
        // Found by the simulator, seed 2361698: the deletion waited for another sync.
        let network = MockNetworkClient(
            schema: try EntitySchema([Entry.self]),
            capabilities: [Entry.entityType: RouteCapabilities(listing: .paged(limit: 10))])
        let device = Device(network, schema: try EntitySchema([Entry.self]))
        _ = await device.engine.performSync()
        try await device.engine.create(Entry(id: testId(2), moment: 10))
        let conflict = APIError.http(status: 409, problem: ProblemDetails(detail: "there is one at this moment"))
        await network.always(.fail(conflict), for: .create)
        await network.beforeEachCall { call in
            guard call.operation == .create else { return }
            await network.beforeEachCall(nil)
            try await device.engine.delete(Entry.self, id: testId(2))
        }
        let report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(await network.calls(.delete).count == 1)
    }

    @Test("is no other that has a part of the name alone")
    func other() async throws {
        let device = Device(network, schema: schema)
        try await network.put(Item(id: testId(1), name: "milk", size: 1))
        try await network.put(Item(id: testId(3), name: "milk", size: 2))
        _ = await device.engine.performSync()
        try await device.engine.create(Item(id: testId(2), name: "milk", size: 2))
        let report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(try device.store().fetch(Item.self, where: nil).map(\.id) == [testId(1), testId(3)])
    }

    @Test("waits for the person where all of the feed is here and nothing like it")
    func nothingAlike() async throws {
        let device = Device(network, schema: schema)
        _ = await device.engine.performSync()
        try await device.engine.create(Item(id: testId(1), name: "milk"))
        let conflict = APIError.http(status: 409, problem: ProblemDetails(detail: "that is taken"))
        await network.always(.fail(conflict), for: .create)
        #expect(await device.engine.performSync().parked == 1)
        #expect(try device.parkReason(of: testId(1))?.code == .duplicate)
    }

    @Test("is not waited for for ever where others write all the time")
    func busyFeed() async throws {
        let device = Device(network, schema: schema) { $0.blameLimit = 3 }
        _ = await device.engine.performSync()
        try await device.engine.create(Item(id: testId(1), name: "milk"))
        let conflict = APIError.http(status: 409, problem: ProblemDetails(detail: "that is taken"))
        await network.always(.fail(conflict), for: .create)
        var cycles = 0
        var report: SyncReport
        repeat {
            cycles += 1
            try await network.put(Item(id: testId(UInt64(100 + cycles)), name: "item \(cycles)"))
            report = await device.engine.performSync()
        } while report.parked == 0 && cycles < 10
        #expect(report.parked == 1 && cycles == 4)
    }
}
