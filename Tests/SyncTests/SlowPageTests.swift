import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A link that is so slow that a page of the usual size does not come in time.
@Suite("Pages that are too slow")
struct SlowPageTests {
    private let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 40), batchLimit: 500)
    ])

    private func makeDevice() -> Device { Device(network) { $0.changesPerPage = 40 } }

    /// From now on a page that is asked to have more than so many items does not come in time.
    private func slowDown(to largest: Int) async {
        await network.beforeEachCall { call in
            guard let limit = call.operation == .getChanges ? call.limit : call.list?.limit else { return }
            // Kinds that are listed whole say no limit.
            if limit > largest, limit < .max { throw APIError.timeout }
        }
    }

    private func fill(_ device: Device, _ count: Int) async throws {
        try await network.put(device.coffee)
        for _ in 0..<count { try await network.put(makeEvent(eventTypeId: device.coffee.id)) }
    }

    /// How much the pages of an operation were asked to have, in order.
    private func limits(_ operation: MockOperation) async -> [Int] {
        await network.calls.filter { $0.operation == operation }.compactMap { call in
            operation == .getChanges ? call.limit : call.list.flatMap { $0.limit < .max ? $0.limit : nil }
        }
    }

    @Test("a first sync asks for fewer records, once more in a sync, and comes to its end")
    func listing() async throws {
        let device = makeDevice()
        try await fill(device, 60)
        await slowDown(to: 10)
        let first = await device.engine.performSync()
        #expect(first.failure == .unreachable && first.error?.contains("in time") == true)
        #expect(await limits(.list) == [40, 20])
        var report = first
        for _ in 0..<3 where report.failure != nil { report = await device.engine.performSync() }
        #expect(report.failure == nil, "\(report.error ?? "")")
        #expect(try device.store().count(Event.self) == 60)
    }

    @Test("a pull asks for fewer changes, and for more again when the link is fast")
    func feed() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        try await fill(device, 60)
        await network.reset()
        await slowDown(to: 10)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(await limits(.getChanges) == [40, 20])
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().count(Event.self) == 60)
        await network.reset()
        for _ in 0..<3 { #expect(await device.engine.performSync().failure == nil) }
        let asked = await limits(.getChanges)
        #expect(asked.first == 20 && asked.last == 40 && Set(asked) == [20, 40])
        #expect(try device.store().metadata(MetadataKey.pageSizes) == nil)
    }

    @Test("one time-out alone does not end the sync")
    func once() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        try await fill(device, 5)
        await network.enqueue(.fail(APIError.timeout), for: .getChanges)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().count(Event.self) == 5)
    }

    @Test("a server that is silent is asked twice in a sync, and once at the smallest page")
    func silent() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        await slowDown(to: 0)
        var counts: [Int] = []
        for _ in 0..<5 {
            let before = await network.callCount(.getChanges)
            #expect(await device.engine.performSync().failure == .unreachable)
            counts.append(await network.callCount(.getChanges) - before)
        }
        #expect(counts == [2, 2, 2, 1, 1])
    }
}
