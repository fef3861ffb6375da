import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Docs/SyncStateMachine.md, the circuit breaker")
struct BreakerDocumentTests {
    let document: Document
    init() throws { document = try Document(named: "SyncStateMachine.md") }

    @Test("its table of the breaker has every transition, and no other")
    func breaker() throws {
        var code: Set<[String]> = []
        for (breaker, now) in Self.breakers(depth: 6) {
            for event in BreakerEvent.allCases {
                let (next, moment) = event.applied(to: breaker, at: now)
                code.insert([breaker.stateName(at: now), event.rawValue, next.stateName(at: moment)])
            }
        }
        let rows = try document.table("breaker", "event", "next")
        let documented = rows.flatMap { row in
            row[2].split(separator: ", ").map { [row[0], row[1], String($0)] }
        }
        expectSame(documented: Set(documented), code: code)
        let edges = try document.edges(ofDiagramWith: "counting").filter { $0.from != "[*]" }
        let drawn = edges.flatMap { edge in edge.label.split(separator: ", ").map { [edge.from, String($0), edge.to] } }
        expectSame(documented: Set(drawn), code: code.filter { $0[0] != $0[2] })
    }

    private struct Moment: Hashable {
        var breaker: CircuitBreaker
        var now: Timestamp
    }

    /// Every breaker that so many events can lead to, with the moment at which it is looked at.
    private static func breakers(depth: Int) -> [(CircuitBreaker, Timestamp)] {
        let first = Moment(breaker: CircuitBreaker(), now: ManualWallClock.defaultStart)
        var all: Set<Moment> = [first]
        var newest = all
        for _ in 0..<depth {
            let reached = newest.flatMap { moment in
                BreakerEvent.allCases.map { event in
                    let (breaker, now) = event.applied(to: moment.breaker, at: moment.now)
                    return Moment(breaker: breaker, now: now)
                }
            }
            newest = Set(reached).subtracting(all)
            all.formUnion(newest)
        }
        return all.map { ($0.breaker, $0.now) }
    }
}

/// What a breaker can hear of.
enum BreakerEvent: String, CaseIterable {
    case refused = "429"
    case refusedFor = "429 with Retry-After"
    case succeeded = "success"
    case failed = "other failure"
    case wait = "the pause is over"

    func applied(to breaker: CircuitBreaker, at now: Timestamp) -> (CircuitBreaker, Timestamp) {
        var breaker = breaker
        switch self {
        case .refused: breaker.refused(retryAfter: nil, at: now)
        case .refusedFor: breaker.refused(retryAfter: 10, at: now)
        case .succeeded: breaker.succeeded(at: now)
        case .failed: breaker.failedOtherwise()
        case .wait: return (breaker, now.advanced(bySeconds: breaker.remaining(at: now) ?? 0))
        }
        return (breaker, now)
    }
}

extension CircuitBreaker {
    /// The name that the document gives to a breaker.
    func stateName(at now: Timestamp) -> String {
        if remaining(at: now) != nil { return "silent" }
        if refusals >= Self.tripsAfter { return "probing" }
        if refusals > 0 { return "counting" }
        return trips > 0 ? "wary" : "closed"
    }
}
