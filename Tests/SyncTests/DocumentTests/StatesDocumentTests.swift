import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Docs/SyncStateMachine.md, what a person sees")
struct StatesDocumentTests {
    let document: Document
    init() throws { document = try Document(named: "SyncStateMachine.md") }

    static let stops: [CycleStop] = [
        .rateLimited, .unreachable("r"), .notAServer(.timeout), .signedOut("r"), .signInFailing("r"),
        .protocolBroken("r"), .leaseLost, .cancelled, .store(.busy), .quarantineFull(held: 1),
    ]

    @Test("its table of stops says how each is reported and shown")
    func stops() async throws {
        let engine = Device().engine
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
            await device.network.beforeEachCall { call in
                guard request.carriesMutations == (call.exchange?.mutations.isEmpty == false) else { return }
                await seen.insert([request.rawValue, engine.state.name])
            }
            await device.sync()
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
