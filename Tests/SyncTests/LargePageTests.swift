import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A server whose records are so large that a page of the usual size is more than a device takes in at once.
@Suite("Pages that are too large")
struct LargePageTests {
    private static let largest = 3
    private let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
    ])

    private func makeDevice() -> Device { Device(network) { $0.changesPerPage = 50 } }

    /// From now on an answer with more than so many items is too large.
    private func limitAnswers(to largest: Int) async {
        await network.beforeEachCall { call in
            guard let limit = call.operation == .getChanges ? call.limit : call.list?.limit else { return }
            // Kinds that are listed whole say no limit.
            if limit > largest, limit < .max { throw APIError.answerTooLarge(limit: 1_000) }
        }
    }

    private func fill(_ device: Device, _ count: Int) async throws {
        try await network.put(device.coffee)
        for _ in 0..<count { try await network.put(makeEvent(eventTypeId: device.coffee.id)) }
    }

    @Test("a first sync asks for fewer records, and misses none", arguments: [2, 3, 9])
    func listing(_ largest: Int) async throws {
        let device = makeDevice()
        try await fill(device, 25)
        await limitAnswers(to: largest)
        let report = await device.engine.performSync()
        #expect(report.failure == nil, "\(report.error ?? "")")
        #expect(try device.store().count(Event.self) == 25)
    }

    @Test("a pull asks for fewer changes, to the end of the feed", arguments: [1, 3, 49])
    func feed(_ largest: Int) async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        try await fill(device, 60)
        await limitAnswers(to: largest)
        var report = await device.engine.performSync()
        while report.hasMore { report = await device.engine.performSync() }
        #expect(report.failure == nil, "\(report.error ?? "")")
        #expect(try device.store().count(Event.self) == 60)
    }

    @Test("one record that is too large by itself ends the sync, which says so")
    func hopeless() async throws {
        let device = makeDevice()
        _ = await device.engine.performSync()
        try await fill(device, 4)
        await limitAnswers(to: 0)
        let report = await device.engine.performSync()
        #expect(report.failure == .protocol && report.error?.contains("larger than 1000 bytes") == true)
    }
}
