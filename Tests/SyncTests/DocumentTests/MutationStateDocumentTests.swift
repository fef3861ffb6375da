import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Docs/SyncStateMachine.md, the ledger")
struct MutationStateDocumentTests {
    let document: Document
    init() throws { document = try Document(named: "SyncStateMachine.md") }

    @Test("its table and its diagram have every step that mutations take in the engine, and no other")
    func steps() async throws {
        let watch = LedgerWatch()
        for story in LedgerStory.allCases { try await story.tell(to: watch) }
        let seen = await watch.steps
        let rows = try document.table("from", "to", "when")
        expectSame(documented: Set(rows.map { [$0[0], $0[1]] }), code: seen)
        let edges = try document.edges(ofDiagramWith: "queued").map { [$0.from == "[*]" ? "new" : $0.from, $0.to] }
        expectSame(documented: Set(edges), code: seen)
    }

    @Test("its tables list every state and every reason for parking")
    func names() throws {
        let states = try document.table("mutation state", "meaning").map { $0[0] }
        expectSame(documented: Set(states), code: Set(MutationState.Name.allCases.map(\.rawValue)))
        let codes: [ParkReason.Code] = [.rejected, .duplicate, .deletedElsewhere, .blamed, .cleared, .unreadable]
        for code in codes {
            switch code {
            // A new reason belongs into the list above.
            case .rejected, .duplicate, .deletedElsewhere, .blamed, .cleared, .unreadable: break
            }
        }
        let reasons = try document.table("reason", "why", "what helps").map { $0[0] }
        expectSame(documented: Set(reasons), code: Set(codes.map(\.rawValue)))
    }
}

/// Notes the steps of all mutations of a device, as they are in the store between one request and the next.
actor LedgerWatch {
    private(set) var steps: Set<[String]> = []
    private var known: [Int64: MutationState.Name] = [:]

    /// Watches a device from here on, before every request.
    func follow(_ device: Device) async throws {
        known = [:]
        try look(at: device)
        await device.network.beforeEachCall { _ in try await self.look(at: device) }
    }

    func look(at device: Device) throws {
        for mutation in try device.mutations() {
            let name = mutation.state.name
            let before = known.updateValue(name, forKey: mutation.id)
            if before != name { steps.insert([before?.rawValue ?? "new", name.rawValue]) }
        }
    }
}

/// Histories that together lead mutations along all of their ways.
enum LedgerStory: CaseIterable {
    case accepted, merged, refused, deletedElsewhere, duplicate, crossedDeletion, cleared, unreadable, dropped

    func tell(to watch: LedgerWatch) async throws {
        let device = try await CycleRequest.changes.device()
        let event = try await device.logCoffee(notes: "old")
        await device.network.reset()
        try await watch.follow(device)
        try await happen(on: device, event, watch)
        _ = await device.engine.performSync()
        try await watch.look(at: device)
    }

    private func happen(on device: Device, _ event: Event, _ watch: LedgerWatch) async throws {
        let network = device.network
        switch self {
        case .accepted: break
        case .merged:
            try await device.edit(event.id) { $0.notes = "new" }
            try await watch.look(at: device)
            try await device.engine.delete(Event.self, id: event.id)
        case .refused:
            await network.always(.fail(refusal(422)), for: .create)
            _ = await device.engine.performSync()
            try await watch.look(at: device)
            var type = device.coffee
            type.name = "mocha"
            try await device.engine.update(type)
            try await watch.look(at: device)
            _ = await device.engine.performSync()
            try await watch.look(at: device)
            try await device.engine.delete(EventType.self, id: type.id)
        case .deletedElsewhere:
            _ = await device.engine.performSync()
            // The edit waits while the feed tells of the deletion: its own request has failed for now.
            try await device.edit(event.id) { $0.notes = "new" }
            try await network.remove(Event.self, id: event.id)
        case .duplicate:
            try await network.put(makeEventType(name: device.coffee.name))
        case .crossedDeletion:
            await network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
            _ = await device.engine.performSync()
            try await watch.look(at: device)
            try await device.engine.delete(Event.self, id: event.id)
        case .cleared:
            try await device.engine.clearPendingMutations()
            try await watch.look(at: device)
            for mutation in try device.mutations([.parked]) {
                try await device.engine.retryMutation(id: mutation.id)
                try await watch.look(at: device)
            }
            await network.enqueue(.fail(APIError.timeout), for: .create)
            _ = await device.engine.performSync()
            try await watch.look(at: device)
            try await device.engine.clearPendingMutations()
        case .unreadable:
            let store = try device.store()
            for var mutation in try store.fetchMutations(.unsent) {
                mutation.payload = Data("{}".utf8)
                try store.updateMutation(mutation)
            }
            try store.save()
        case .dropped:
            for mutation in try device.mutations([.queued]) where mutation.entityType == .event {
                try await device.engine.dropMutation(id: mutation.id)
            }
            try await watch.look(at: device)
            _ = await device.engine.performSync()
            // A deletion swallows an edit, and gives it back where it is dropped itself.
            var type = device.coffee
            type.name = "mocha"
            try await device.engine.update(type)
            try await watch.look(at: device)
            try await device.engine.delete(EventType.self, id: type.id)
            try await watch.look(at: device)
            for mutation in try device.mutations([.queued]) {
                try await device.engine.dropMutation(id: mutation.id)
            }
            try await watch.look(at: device)
            try await device.engine.clearPendingMutations()
            try await watch.look(at: device)
            for mutation in try device.mutations([.parked]) {
                try await device.engine.dropMutation(id: mutation.id)
            }
        }
    }
}
