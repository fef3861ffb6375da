import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("Deleting a record")
struct DeletionTests {
    @Test("takes along what cannot be without it, children before parents, and logs each")
    func cascade() throws {
        let world = try ServerWorld()
        _ = try world.create(EventType.sample())
        _ = try world.create(EventType.sample(9, name: "other"))
        for number in 2...4 { _ = try world.create(Event.sample(UInt64(number))) }
        _ = try world.create(Event.sample(5, type: 9))
        _ = try world.create(
            PropertyDefinition(id: id(6), eventTypeId: id(1), key: "k", label: "k", propertyType: .text))
        _ = try world.create(
            Geofence(
                id: id(7), name: "home", latitude: 0, longitude: 0, eventTypeEntryId: id(1), eventTypeExitId: id(1)))
        let before = try world.feed("ann").nextCursor
        #expect(
            try world.records.delete(.eventType, id: id(1), WriteContext(userId: "ann")).outcome == .deleted)
        let changes = try world.feed("ann", since: before).changes
        #expect(changes.filter { $0.operation == .delete }.map(\.entityId).sorted() == [1, 2, 3, 4, 6].map(id))
        #expect(changes.last?.entityId == id(1))
        #expect(changes.allSatisfy { $0.operation != .delete || ($0.data == nil && $0.deletedAt != nil) })
        let updates = changes.filter { $0.operation == .update }
        #expect(updates.map(\.entityId) == [id(7)])
        #expect(updates.first?.data?.objectValue?["event_type_entry_id"] == nil)
        #expect(try world.get(.geofence, id(7))["event_type_exit_id"] == nil)
        #expect(try world.list(.event) == [id(5)])
        #expect(try world.list(.propertyDefinition) == [])
        #expect(problem { try world.get(.eventType, id(1)) }?.kind == .notFound)
    }

    @Test("works for kinds that refer to themselves, also in a circle")
    func circle() throws {
        let world = try ServerWorld(catalog: .boards())
        _ = try world.create(Board(id: id(1)))
        _ = try world.create(Ticket(id: id(2), boardId: id(1), number: 1))
        _ = try world.create(Ticket(id: id(3), boardId: id(1), number: 2, blockedById: id(2), duplicateOfId: id(2)))
        _ = try world.update("ticket", id(2), ["blocked_by_id": .string(id(3)), "duplicate_of_id": .string(id(2))])
        let before = try world.feed("ann").nextCursor
        _ = try world.records.delete("ticket", id: id(2), WriteContext(userId: "ann"))
        #expect(try world.get("ticket", id(3))["blocked_by_id"] == nil)
        #expect(try world.feed("ann", since: before).changes.map(\.operation) == [.update, .delete])
        _ = try world.create(Ticket(id: id(4), boardId: id(1), number: 7, blockedById: id(3)))
        #expect(problem { try world.create(Ticket(id: id(5), boardId: id(1), number: 7)) }?.kind == .conflict)
        _ = try world.records.delete("board", id: id(1), WriteContext(userId: "ann"))
        #expect(try world.list("ticket") == [])
        #expect(try world.records.summary(userId: "ann").counts == ["board": 0, "ticket": 0])
    }
}
