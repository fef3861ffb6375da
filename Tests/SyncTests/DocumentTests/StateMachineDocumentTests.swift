import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Docs/SyncStateMachine.md")
struct StateMachineDocumentTests {
    typealias Machine = SyncStateMachine

    struct Transition: Hashable, CustomStringConvertible {
        var phase: String
        var event: String
        var next: String
        var action: String
        var description: String { "\(phase) × \(event) → \(next), \(action)" }
    }

    let document: Document
    init() throws { document = try Document(named: "SyncStateMachine.md") }

    static let stops: [CycleStop] = [
        .rateLimited, .unreachable("r"), .notAServer("r"), .signedOut("r"), .protocolBroken("r"), .leaseLost,
        .cancelled, .store(.busy), .feedRefused("r"), .feedReplaced("r"), .quarantineFull(held: 1),
    ]
    static let events: [Machine.Event] =
        [
            .start(silence: 5, needsBootstrap: false), .start(silence: 5, needsBootstrap: true),
            .start(silence: nil, needsBootstrap: false), .start(silence: nil, needsBootstrap: true),
            .healthy, .pushed, .bootstrapped, .pulled,
        ] + stops.map { .stopped($0) }

    // MARK: Names. An exhaustive switch, so that a new case must be dealt with here.

    private func label(_ event: Machine.Event, fullCycle: Bool) -> String {
        switch event {
        case .start(.some, _): "start, silent"
        case .start(.none, true): "start, bootstrap"
        case .start(.none, false): "start"
        case .healthy: "healthy"
        case .pushed: fullCycle ? "pushed, bootstrap" : "pushed"
        case .bootstrapped: "bootstrapped"
        case .pulled: "pulled"
        case .stopped: "stopped"
        }
    }

    private func label(_ action: Machine.Action, after event: Machine.Event) -> String {
        switch action {
        case .checkHealth: return "checkHealth"
        case .push: return "push"
        case .bootstrap: return "bootstrap"
        case .pull: return "pull"
        case .finish(nil): return "finish"
        case .finish(let stop?):
            if case .stopped(stop) = event { return "finish(stop)" }
            return "finish(\(stop))"
        }
    }

    // MARK: What the machine does

    /// Machines in every phase that can be reached, with and without a bootstrap asked for.
    private func machines() throws -> [(machine: Machine, fullCycle: Bool)] {
        var found: [(Machine, Bool)] = []
        for full in [false, true] {
            var machine = Machine()
            found.append((machine, full))
            for event in [.start(silence: nil, needsBootstrap: full), .healthy, .pushed] as [Machine.Event] {
                _ = try machine.handle(event)
                found.append((machine, full))
            }
            if full {
                _ = try machine.handle(.bootstrapped)
                found.append((machine, full))
            }
        }
        return found
    }

    private func transitions() throws -> (legal: Set<Transition>, refused: Set<Transition>) {
        var legal: Set<Transition> = []
        var refused: Set<Transition> = []
        for (before, full) in try machines() {
            for event in Self.events {
                var machine = before
                let name = label(event, fullCycle: full)
                do {
                    let action = try machine.handle(event)
                    legal.insert(
                        Transition(
                            phase: before.phase.rawValue, event: name, next: machine.phase.rawValue,
                            action: label(action, after: event)))
                } catch {
                    #expect(machine == before, "a refused event changes nothing")
                    refused.insert(
                        Transition(phase: before.phase.rawValue, event: name, next: before.phase.rawValue, action: "–"))
                }
            }
        }
        return (legal, refused)
    }

    @Test("the machines looked at are in every phase")
    func phases() throws {
        let reached = try machines().map(\.machine.phase)
        #expect(Set(reached) == Set(Machine.Phase.allCases))
    }

    @Test("its table has every transition of the machine, and no other")
    func table() throws {
        let rows = try document.table("phase", "event", "next phase", "action")
        let documented = rows.map { Transition(phase: $0[0], event: $0[1], next: $0[2], action: $0[3]) }
        #expect(Set(documented).count == documented.count)
        expectSame(documented: Set(documented), code: try transitions().legal)
    }

    @Test("its diagram has every transition of the machine, and no other")
    func diagram() throws {
        let edges = try document.edges(ofDiagramWith: "checkingHealth")
        let start = edges.filter { $0.from == "[*]" }
        #expect(start.map(\.to) == [Machine().phase.rawValue])
        let legal = try transitions().legal.map { Document.Edge(from: $0.phase, to: $0.next, label: $0.event) }
        expectSame(documented: edges.subtracting(start), code: Set(legal))
    }

    @Test("its matrix says of every phase and event whether it is refused")
    func matrix() throws {
        let rows = try document.table("event \\ phase")
        let header = try #require(
            document.lines.first { $0.hasPrefix("| event \\ phase") })
        let phases = header.split(separator: "|").dropFirst().map {
            $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
        var documented: Set<Transition> = []
        for row in rows {
            for (phase, next) in zip(phases, row.dropFirst()) where next != "–" {
                documented.insert(Transition(phase: phase, event: row[0], next: next, action: ""))
            }
        }
        let (legal, refused) = try transitions()
        var code: Set<Transition> = []
        for transition in legal {
            code.insert(
                Transition(phase: transition.phase, event: transition.event, next: transition.next, action: ""))
        }
        for transition in refused {
            code.insert(Transition(phase: transition.phase, event: transition.event, next: "refused", action: ""))
        }
        expectSame(documented: documented, code: code)
    }

    // MARK: What a person sees

    @Test("its table of stops says how each is reported and shown")
    func stops() async throws {
        let engine = SyncEngine(networkClient: MockNetworkClient(), dataStoreFactory: InMemoryDataStoreFactory())
        var code: Set<[String]> = []
        for stop in Self.stops {
            let name = String("\(stop)".prefix { $0 != "(" })
            let state = await engine.report(after: stop, nil).state
            code.insert([name, stop.failure.rawValue, state.name])
        }
        code.insert(["none", "none", await engine.report(after: nil, nil).state.name])
        let rows = try document.table("stop", "failure in the report", "state")
        expectSame(documented: Set(rows.map { Array($0.prefix(3)) }), code: code)
    }

    @Test("its table of requests says which state is shown while each is under way")
    func shown() async throws {
        let seen = Collected()
        for request in CycleRequest.allCases {
            let device = try await request.device()
            let engine = device.engine
            // A cycle begins with the state in which the one before has ended.
            _ = try await engine.loadInitialState()
            await device.network.beforeEachCall { call in
                guard request.operations.first == call.operation else { return }
                await seen.insert([request.rawValue, engine.state.name])
            }
            _ = await engine.performSync()
        }
        let rows = try document.table("request", "state shown")
        expectSame(documented: Set(rows.map { Array($0.prefix(2)) }), code: await seen.rows)
    }
}

/// What concurrent callers have noted.
actor Collected {
    private(set) var rows: Set<[String]> = []
    func insert(_ row: [String]) { rows.insert(row) }
}
