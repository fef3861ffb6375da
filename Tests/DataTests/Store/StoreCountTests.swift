import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// The numbers that triggers keep, against those that SQLite finds by looking at every row.
@Suite("Numbers of records and mutations")
struct StoreCountTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func mutation(_ state: MutationState) -> PendingMutation {
        PendingMutation(
            clientRequestId: "k", entityType: .event, operation: .create, entityId: "e",
            createdAt: Timestamp(milliseconds: 0), state: state)
    }

    /// Demands that what is kept is what is there.
    private func expectTrue(_ situation: Comment) throws {
        let reader = store.factory.makeReader()
        let (kept, states) = (try reader.counts(), try reader.mutationCounts())
        try DatabaseQueue(path: store.factory.path).read { database in
            for (type, number) in kept {
                let there = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(type.rawValue)")
                #expect(number == there, "\(type.rawValue), after \(situation)")
            }
            for (state, number) in states {
                let sql = "SELECT count(*) FROM sync_mutation WHERE state = ?"
                #expect(number == (try Int.fetchOne(database, sql: sql, arguments: [state.rawValue])), situation)
                let count = try reader.countMutations(MutationQuery(states: [state]))
                #expect(count == number, situation)
            }
        }
    }

    @Test("they follow records that are made, changed and deleted")
    func records() throws {
        try store.saving { store in
            for id in ["t1", "t2", "t3"] { try store.upsertEventType(id: id) { $0.name = id } }
        }
        try expectTrue("made")
        try store.saving { try $0.upsertEventType(id: "t2") { $0.name = "tea" } }
        try expectTrue("changed")
        try store.saving { try $0.delete(EventType.self, id: "t1") }
        try expectTrue("deleted")
        #expect(try store.factory.makeReader().counts()[.eventType] == 2)
        try store.saving { try $0.deleteAll(EventType.self) }
        try expectTrue("all deleted")
    }

    @Test("wrong ones are found, and counted anew")
    func wrong() async throws {
        try store.saving { store in
            for id in ["t1", "t2"] { try store.upsertEventType(id: id) { $0.name = id } }
            try store.insertMutation(mutation(.queued))
        }
        #expect(try await store.factory.checkCounts() == [])
        try await DatabaseQueue(path: store.factory.path).write { database in
            try database.execute(
                sql: """
                    UPDATE sync_count SET number = 9 WHERE name = 'record:event_type';
                    DELETE FROM sync_count WHERE name = 'record:geofence';
                    DELETE FROM sync_count WHERE name = 'mutation:queued';
                    INSERT OR REPLACE INTO sync_count VALUES ('mutation:parked', 3);
                    """)
        }
        let found = try await store.factory.checkCounts()
        let subjects: [StoreCountDifference.Subject] = [
            .records(.eventType), .records(.geofence), .changes(.queued), .changes(.parked),
        ]
        #expect(Set(found.map(\.subject)) == Set(subjects))
        let byPlace = subjects.compactMap { subject in found.first { $0.subject == subject } }
        #expect(byPlace.map(\.kept) == [9, nil, nil, 3] && byPlace.map(\.counted) == [2, 0, 1, 0])
        try await store.factory.recount()
        #expect(try await store.factory.checkCounts() == [])
        try expectTrue("counted anew")
        try store.saving { try $0.upsertGeofence(id: "g") { $0.name = "home" } }
        try expectTrue("made afterwards")
    }

    @Test("they follow mutations through their states, and what was not saved counts for nothing")
    func mutations() throws {
        try store.saving { store in
            for state in [MutationState.queued, .queued, .sending, .accepted] {
                try store.insertMutation(mutation(state))
            }
        }
        try expectTrue("inserted")
        try store.saving { store in
            guard var first = try store.findMutation(id: 1) else { return }
            first.state = .sending
            try store.updateMutation(first)
            first.attempts = 3
            try store.updateMutation(first)
            try store.deleteMutation(id: 2)
        }
        try expectTrue("updated")
        do {
            let unit = try store.factory.makeDataStore()
            try unit.insertMutation(mutation(.queued))
        }
        try expectTrue("discarded")
        let counts = try store.factory.makeReader().mutationCounts()
        #expect(counts[.sending] == 2 && counts[.queued] == 0 && counts[.accepted] == 1)
    }
}
