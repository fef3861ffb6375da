import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A kind whose records are each other's parents; only these tests know it.
struct Folder: SyncEntity {
    static let entityType: EntityType = "folder"
    static let fields = ["id", "parent_id", "name"]
    static let parents = [ParentReference(field: "parent_id", entityType: "folder", onDelete: .cascade)]
    var id: String
    var parentId: String?
    var name = "new"

    enum CodingKeys: String, CodingKey {
        case id, name
        case parentId = "parent_id"
    }
}

/// A kind whose fields have to fit each other.
struct Span: SyncEntity {
    static let entityType: EntityType = "span"
    static let fields = ["id", "start", "end"]
    static let parents: [ParentReference] = []
    var id: String
    var start: Int
    var end: Int

    init(id: String, start: Int, end: Int) { (self.id, self.start, self.end) = (id, start, end) }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        start = try fields.decode(Int.self, forKey: .start)
        end = try fields.decode(Int.self, forKey: .end)
        if start > end {
            throw ValidationError(
                entityType: Self.entityType,
                fields: [FieldError(field: "end", message: "is before the start", code: "invalid")])
        }
    }
}

@Suite("A kind of record that the engine has never heard of")
struct OtherKindTests {
    private let a: Device
    private let b: Device

    init() throws {
        let server = ExchangeServer(schema: try EntitySchema([Folder.self]))
        (a, b) = (Device(server, seed: 1), Device(server, seed: 2))
    }

    @Test("is created, edited, deleted and received like any other")
    func roundTrip() async throws {
        var folder = Folder(id: freshId())
        try await a.engine.create(folder)
        await a.sync()
        await b.sync()
        #expect(try b.find(Folder.self, folder.id) == folder)
        folder.name = "two"
        try await b.engine.update(folder)
        await b.sync()
        await a.sync()
        #expect(try a.find(Folder.self, folder.id) == folder)
        try await a.engine.delete(Folder.self, id: folder.id)
        await a.sync()
        await b.sync()
        #expect(try b.find(Folder.self, folder.id) == nil)
    }

    @Test(
        "goes out generation by generation in one sync where its records are each other's parents, and goes as a whole")
    func generations() async throws {
        var parent: String?
        for _ in 0..<5 { parent = try await a.engine.create(Folder(id: freshId(), parentId: parent)).id }
        let report = await a.sync()
        #expect(report.pushed == 5 && report.pending == 0 && report.parked == 0)
        await b.sync()
        let root = try #require(try b.all(Folder.self).first { $0.parentId == nil })
        try await b.engine.delete(Folder.self, id: root.id)
        #expect(try b.all(Folder.self).isEmpty)
        try await b.engine.dropMutation(id: try #require(try b.mutation(of: root.id)).id)
        #expect(try b.all(Folder.self).count == 5)
        try await b.engine.delete(Folder.self, id: root.id)
        #expect(await b.sync().pushed == 1)
        await a.sync()
        #expect(try a.all(Folder.self).isEmpty && a.server.records(of: Folder.entityType).isEmpty)
    }

    @Test("whose edits here and elsewhere make no record together is shown as the server has it, and stops no sync")
    func unfit() async throws {
        let server = ExchangeServer(schema: try EntitySchema([Folder.self, Span.self]))
        let (a, b) = (Device(server, seed: 1), Device(server, seed: 2))
        let span = try await a.engine.create(Span(id: freshId(), start: 1, end: 5))
        for device in [a, b] { await device.sync() }
        try await b.edit(Span.self, span.id) { $0.end = 2 }
        await b.sync()
        try await a.edit(Span.self, span.id) { $0.start = 4 }
        let folder = try await a.engine.create(Folder(id: freshId()))
        let report = await a.sync()
        #expect(report.failure == nil && report.parked == 1)
        #expect(try server.find(Folder.self, folder.id) == folder)
        #expect(try a.find(Span.self, span.id) == Span(id: span.id, start: 1, end: 2))
        #expect(try a.parkReason(of: span.id)?.code == .unreadable)
        // An edit that makes them fit goes, and the parked one is the person's to drop.
        let parked = try #require(try a.mutations([.parked]).first)
        try await a.engine.dropMutation(id: parked.id)
        try await a.edit(Span.self, span.id) { ($0.start, $0.end) = (4, 6) }
        await a.sync()
        await b.sync()
        for device in [a, b] { #expect(try device.find(Span.self, span.id) == Span(id: span.id, start: 4, end: 6)) }
    }
}
