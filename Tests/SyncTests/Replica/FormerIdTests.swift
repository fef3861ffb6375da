import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("The id that a record had before it went on under another one")
struct FormerIdTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    private func presentIds() async throws -> PresentIds {
        try await b.engine.perform { try $0.presentIds() }
    }

    @Test("leads to the record that another device had made")
    func merged() async throws {
        try devices.server.create(a.coffee)
        try await b.engine.create(b.coffee)
        for _ in 0..<2 { await b.sync() }
        let ids = try await presentIds()
        #expect(ids.present(b.coffee.id, of: .eventType) == a.coffee.id)
        #expect(ids.present(b.coffee.id, of: .eventType, throughMerges: false) == b.coffee.id)
        #expect(ids.present(b.coffee.id, of: .event) == b.coffee.id)
        #expect(ids.present(a.coffee.id, of: .eventType) == a.coffee.id)
        let event = makeEvent(eventTypeId: b.coffee.id)
        let fields = try ids.renaming(WireCoding.fields(of: event), of: Event.self)
        #expect(fields["event_type_id"] == .string(a.coffee.id) && fields["id"] == .string(event.id))
    }

    @Test("leads through two changes: to a new id, and then to the record of another device")
    func chain() async throws {
        try await b.engine.create(b.coffee)
        devices.server.reject([b.coffee.id], errors: [FieldError(field: "id", message: "is ahead", code: "future")])
        await b.sync()
        let refused = try #require(try b.mutation(of: b.coffee.id))
        try await b.engine.retryMutation(id: refused.id)
        let renamed = try #require(try b.all(EventType.self).first)
        #expect(renamed.id != b.coffee.id)
        try devices.server.create(a.coffee)
        for _ in 0..<2 { await b.sync() }
        let ids = try await presentIds()
        #expect(ids.present(b.coffee.id, of: .eventType) == a.coffee.id)
        #expect(ids.present(b.coffee.id, of: .eventType, throughMerges: false) == renamed.id)
    }

    @Test("leads nowhere from a record that has it again")
    func back() throws {
        let device = ExchangingDevice(ExchangeServer())
        try device.write { writer in
            for (former, present) in [("x", "o"), ("o", "x")] {
                try writer.replica.rename(writer.replica.load(EventType.self, former), to: present, isMerged: true)
            }
        }
        let ids = PresentIds(try device.stores.makeDataStore().fetchDocuments(FormerId.self))
        #expect(ids.present("o", of: .eventType) == "x" && ids.present("x", of: .eventType) == "x")
    }

    @Test("is an id of its own again when a record is put in under it", arguments: [false, true])
    func takenUp(isMissing: Bool) async throws {
        try devices.server.create(a.coffee)
        try await b.engine.create(b.coffee)
        for _ in 0..<2 { await b.sync() }
        var tea = b.coffee
        tea.name = "tea"
        let put = tea
        try await b.engine.perform { writes in
            if isMissing { _ = try writes.adoptMissing([put]) } else { try writes.adopt(put) }
        }
        #expect(try await presentIds().present(put.id, of: .eventType) == put.id)
    }

    @Test("is replaced in the conflicts about the record, which can be restored")
    func conflicts() async throws {
        try devices.server.create(a.coffee)
        try await b.engine.create(b.coffee)
        let version = try WireCoding.fields(of: b.coffee)
        try b.tamper { store in
            try store.putDocument(
                SyncConflict(
                    id: "c", kind: .field, entityType: .eventType, entityId: b.coffee.id, field: "icon",
                    localValue: .string(b.coffee.icon), remoteValue: "leaf", detectedAt: b.wallClock.now()))
            try store.putDocument(
                SyncConflict(
                    id: "d", kind: .deletedHereEditedElsewhere, entityType: .eventType, entityId: b.coffee.id,
                    localValue: .null, remoteValue: .object(version), detectedAt: b.wallClock.now()))
        }
        for _ in 0..<2 { await b.sync() }
        let listed = try b.conflicts
        #expect(listed.map(\.id) == ["c", "d"] && listed.allSatisfy { $0.entityId == a.coffee.id })
        #expect(listed.last?.remoteValue.objectValue?["id"] == .string(a.coffee.id))
        try await b.engine.restoreConflict(id: "c")
        await devices.syncUntilQuiet()
        #expect(try a.find(EventType.self, a.coffee.id)?.icon == "leaf")
    }

    @Test("is forgotten beyond 2,000, the oldest first, but not that of a record to which others belong")
    func bounds() async throws {
        try devices.server.create(a.coffee)
        try await b.engine.create(b.coffee)
        let start = b.wallClock.now().advanced(bySeconds: -60_000)
        try b.tamper { store in
            try store.putDocument(
                FormerId(RecordKey(.eventType, "old"), presentId: "new", isMerged: true, since: start))
            for number in 0..<Replica.formerIdLimit {
                try store.putDocument(
                    FormerId(
                        RecordKey(.event, "\(number)"), presentId: "new", isMerged: false,
                        since: start.advanced(bySeconds: Double(number))))
            }
        }
        for _ in 0..<2 { await b.sync() }
        let ids = try await presentIds()
        #expect(ids.present("old", of: .eventType) == "new")
        #expect(ids.present(b.coffee.id, of: .eventType) == a.coffee.id)
        let kept = Replica.formerIdLimit / 10
        #expect(ids.present("\(kept - 1)", of: .event) == "\(kept - 1)")
        #expect(ids.present("\(kept)", of: .event) == "new")
    }
}
