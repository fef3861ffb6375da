import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A server that was restored from a backup has lost the end of its feed, and records with it.
@Suite("A server that was restored or replaced")
struct RestoredServerTests {
    private let devices = TwoDevices()

    /// Both devices have everything; the server has what it had before the last three events.
    private func restoreAfterThreeMore() async throws -> [Event] {
        _ = try await devices.shareEvent()
        let backup = await devices.network.backup()
        var lost: [Event] = []
        for note in ["one", "two", "three"] { lost.append(try await devices.a.logCoffee(notes: note)) }
        await devices.syncUntilQuiet()
        await devices.network.restore(backup)
        return lost
    }

    @Test("is noticed by a device that nobody has anything for, which takes nothing out")
    func endsBefore() async throws {
        let lost = try await restoreAfterThreeMore()
        let before = await devices.network.callCount(.getLatestCursor)
        let cursor = try await devices.b.cursor()
        for _ in 0..<2 {
            let report = await devices.b.engine.performSync()
            #expect(report.failure == .feedReplaced)
            #expect(report.error?.contains("restored from a backup") == true)
            #expect(report.cursor == cursor && report.nextAttemptAt == nil)
        }
        #expect(await devices.network.callCount(.getLatestCursor) == before + 2)
        #expect(try lost.allSatisfy { try devices.b.event($0.id) != nil })
    }

    @Test("is noticed where its new feed has grown as long as the old one was", arguments: 3...5)
    func grownAgain(count: Int) async throws {
        let lost = try await restoreAfterThreeMore()
        for _ in 0..<count {
            devices.tick()
            try await devices.network.put(makeEvent(eventTypeId: devices.a.coffee.id))
        }
        let report = await devices.b.engine.performSync()
        #expect(report.failure == .feedReplaced)
        #expect(try lost.allSatisfy { try devices.b.event($0.id) != nil })
    }

    @Test("is noticed where others have used up the places since")
    func sparse() async throws {
        _ = try await restoreAfterThreeMore()
        await devices.network.skipChangeIds(100)
        try await devices.network.put(makeEvent(eventTypeId: devices.a.coffee.id))
        #expect(await devices.b.engine.performSync().failure == .feedReplaced)
    }

    @Test("is noticed by a device that changes the same record again")
    func sameRecord() async throws {
        let event = try await devices.shareEvent()
        let backup = await devices.network.backup()
        try await devices.a.edit(event.id) { $0.notes = "lost" }
        await devices.syncUntilQuiet()
        await devices.network.restore(backup)
        try await devices.a.edit(event.id) { $0.notes = "new" }
        #expect(await devices.a.engine.performSync().failure == .feedReplaced)
    }

    @Test("is taken over by a full resync, which keeps and sends what waits, and all is well after it")
    func fullResync() async throws {
        let lost = try await restoreAfterThreeMore()
        let failure = MockAnswer.fail(APIError.http(status: 500, problem: ProblemDetails()))
        for operation in [MockOperation.create, .createBatch] {
            await devices.network.always(failure, for: operation)
        }
        let kept = try await devices.b.logCoffee(notes: "kept")
        #expect(await devices.b.engine.performSync().failure == .feedReplaced)
        #expect(await devices.b.engine.forceFullResync().failure == nil)
        #expect(try lost.allSatisfy { try devices.b.event($0.id) == nil })
        #expect(try devices.b.event(kept.id)?.syncStatus == .pending)
        for operation in [MockOperation.create, .createBatch] { await devices.network.always(nil, for: operation) }
        #expect(await devices.a.engine.performSync().failure == .feedReplaced)
        #expect(await devices.a.engine.forceFullResync().failure == nil)
        await devices.syncUntilQuiet()
        let later = try await devices.a.logCoffee(notes: "later")
        await devices.syncUntilQuiet()
        for device in [devices.a, devices.b] {
            #expect(await device.engine.performSync().failure == nil)
            #expect(try device.event(kept.id) != nil && device.event(later.id) != nil)
            #expect(try await device.cursor() == devices.network.changes.last?.id)
        }
    }

    @Test("is told of before a full resync takes anything out, and taken over by the next that is asked for")
    func firstIsFull() async throws {
        let lost = try await restoreAfterThreeMore()
        let device = devices.b
        let report = await device.engine.forceFullResync()
        #expect(report.failure == .feedReplaced)
        #expect(report.error?.contains("restored from a backup") == true)
        // A sync that starts by itself is nobody's decision.
        #expect(await device.engine.performSync().failure == .feedReplaced)
        #expect(try lost.allSatisfy { try device.event($0.id) != nil })
        #expect(await device.engine.forceFullResync().failure == nil)
        #expect(try lost.allSatisfy { try device.event($0.id) == nil })
    }

    @Test("brings nothing of its lost feed back that waited aside")
    func lostQuarantine() async throws {
        let event = try await devices.shareEvent()
        let backup = await devices.network.backup()
        await devices.network.appendChange(
            entityType: .event, operation: .update, entityId: event.id, data: ["id": .string(event.id)])
        #expect(await devices.b.engine.performSync().quarantined == 1)
        await devices.network.restore(backup)
        #expect(await devices.b.engine.performSync().failure == .feedReplaced)
        let report = await devices.b.engine.forceFullResync()
        #expect(report.failure == nil && report.quarantined == 0)
    }

    @Test("is told from a feed whose newest change was overtaken by a later one of its record")
    func compacted() async throws {
        let event = try await devices.shareEvent()
        await devices.network.forgetChanges(of: event.id)
        try await devices.network.edit(Event.self, id: event.id) { $0.notes = "later" }
        let report = await devices.b.engine.performSync()
        #expect(report.failure == nil)
        #expect(try devices.b.event(event.id)?.entity.notes == "later")
    }

    @Test("costs no request where the feed is the same")
    func noRequests() async throws {
        _ = try await devices.shareEvent()
        await devices.syncUntilQuiet()
        let before = await devices.network.callCount(.getLatestCursor)
        let pages = await devices.network.callCount(.getChanges)
        for _ in 0..<5 {
            devices.tick()
            #expect(await devices.b.engine.performSync().pulled == 0)
        }
        #expect(await devices.network.callCount(.getLatestCursor) == before)
        #expect(await devices.network.callCount(.getChanges) == pages + 5)
    }
}

/// The newest cursor decides where a device begins to listen.
@Suite("An absurd answer about the newest cursor")
struct AbsurdCursorTests {
    @Test("is noticed in the same sync, and a full resync mends it", arguments: [1_000, Int64(1) << 53])
    func tooFar(cursor: Int64) async throws {
        let device = Device()
        try await device.network.put(device.coffee)
        await device.network.enqueue(.respond(.integer(cursor)), for: .getLatestCursor)
        #expect(await device.engine.performSync().failure == .feedReplaced)
        #expect(await device.engine.performSync().failure == .feedReplaced)
        #expect(await device.engine.forceFullResync().failure == nil)
        let event = try await device.network.put(makeEvent(eventTypeId: device.coffee.id))
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.cursor == 2)
        #expect(try device.event(event.id) != nil)
    }

    @Test("is not believed where no feed can have come so far, and leaves no trace")
    func impossible() async throws {
        let device = Device()
        try await device.network.put(device.coffee)
        await device.network.enqueue(.respond(.integer(.max)), for: .getLatestCursor)
        #expect(await device.engine.performSync().failure == .protocol)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.cursor == 1)
    }

    @Test("is noticed after everything was passed over on purpose, and there too where it is impossible")
    func skipping() async throws {
        let device = Device()
        try await device.network.put(device.coffee)
        _ = await device.engine.performSync()
        await device.network.enqueue(.respond(.integer(.max)), for: .getLatestCursor)
        await #expect(throws: APIError.self) { try await device.engine.skipToLatestCursor() }
        try await device.network.put(makeEvent(eventTypeId: device.coffee.id))
        try await device.engine.skipToLatestCursor()
        let asked = await device.network.callCount(.getLatestCursor)
        #expect(await device.engine.performSync().failure == nil)
        #expect(await device.network.callCount(.getLatestCursor) == asked)
        await device.network.enqueue(.respond(.integer(1_000)), for: .getLatestCursor)
        try await device.engine.skipToLatestCursor()
        #expect(await device.engine.performSync().failure == .feedReplaced)
    }
}

extension Device {
    fileprivate func cursor() async throws -> Int64? {
        try store().metadata(MetadataKey.cursor).flatMap { Int64($0) }
    }
}
