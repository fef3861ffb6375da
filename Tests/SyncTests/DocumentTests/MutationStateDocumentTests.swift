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
        let reasons = try document.table("reason", "why", "what helps").map { $0[0] }
        expectSame(documented: Set(reasons), code: Set(ParkReason.Code.allCases.map(\.rawValue)))
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
    case accepted, refused, deletedElsewhere, duplicate, notSent, unanswered, cleared, clearedMeanwhile, dropped

    func tell(to watch: LedgerWatch) async throws {
        let device = Device()
        await device.sync()
        let event = try await device.logCoffee(notes: "old")
        try await watch.follow(device)
        try await happen(on: device, event, watch)
        try await watch.look(at: device)
        await device.sync()
        try await watch.look(at: device)
    }

    private func happen(on device: Device, _ event: Event, _ watch: LedgerWatch) async throws {
        switch self {
        case .accepted:
            // A deletion covers an edit that has not been sent.
            await device.sync()
            try await device.edit(event.id) { $0.notes = "new" }
            try await watch.look(at: device)
            try await device.engine.delete(Event.self, id: event.id)
        case .refused:
            device.server.reject([device.coffee.id])
            await device.sync()
            try await watch.look(at: device)
            try await device.edit(EventType.self, device.coffee.id) { $0.name = "mocha" }
            try await watch.look(at: device)
            try await device.engine.delete(EventType.self, id: device.coffee.id)
        case .deletedElsewhere:
            await device.sync()
            try await device.edit(event.id) { $0.notes = "new" }
            try await watch.look(at: device)
            try device.server.delete(.event, event.id)
        case .duplicate: try device.server.create(makeEventType(name: device.coffee.name))
        case .notSent:
            await device.network.enqueue(.fail(APIError.notSent("no route")), for: .exchange)
            await device.sync()
        case .unanswered:
            await device.loseNext()
            await device.sync()
            try await watch.look(at: device)
            device.server.forgetKeys()
        case .cleared:
            try await device.engine.clearPendingMutations()
            try await watch.look(at: device)
            for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
            try await watch.look(at: device)
            await device.loseNext()
            await device.sync()
            try await device.engine.clearPendingMutations()
            // An edit waits with what may have reached the server.
            try await device.edit(event.id) { $0.notes = "new" }
            try await watch.look(at: device)
            while let mutation = try device.mutations([.parked]).first {
                try await device.engine.retryMutation(id: mutation.id)
            }
        case .clearedMeanwhile:
            await device.whileSending {
                try await device.engine.clearPendingMutations()
                try await watch.look(at: device)
            }
            await device.sync()
        case .dropped:
            for mutation in try device.mutations([.queued]).reversed() {
                try await device.engine.dropMutation(id: mutation.id)
            }
            try await device.logCoffee()
            try await watch.look(at: device)
            try await device.engine.clearPendingMutations()
            try await watch.look(at: device)
            for mutation in try device.mutations([.parked]).reversed() {
                try await device.engine.dropMutation(id: mutation.id)
            }
        }
    }
}
