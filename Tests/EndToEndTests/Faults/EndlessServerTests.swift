import Foundation
import Testing
import TrendyFaultProxy

@Suite("A server that goes on for ever", .fewAtOnce, .timeLimit(.minutes(10)))
struct EndlessServerTests {
    @Test("is left when so much waits aside, and all is well once that is let go", arguments: Way.allCases)
    func strangeChanges(way: Way) async throws {
        let world = try await FaultyWorld.start(way)
        let work = try await Workload.queue(in: world, way)
        try await work.device.sync()
        world.proxy.forgetRequests()
        let route = way == .exchange ? Way.exchangeRoute : .init("GET", "/api/v1/changes$")
        let fault = Fault.rewriteBody("the answer, and strange changes after it") { body in
            way == .exchange ? strangeAnswer(of: 500, after: body) : strangePage(of: 500, after: body)
        }
        world.proxy.follow(FaultPlan([.init(route, .always, fault)]))
        let outcome = try await work.device.syncUnderFaults(within: .seconds(240))
        #expect(outcome.status == 65 && outcome.errors.contains("trendy quarantine discard --all"), "\(outcome)")
        let sync = try await work.device.run("sync", "--json").decode(SyncOutput.self)
        #expect(sync.failure == "quarantine_full")
        #expect(world.proxy.count(route.method, route.path) < 60)

        world.proxy.heal()
        let discarded = try await work.device.done("quarantine", "discard", "--all")
        #expect(discarded.output == "discarded 10000 changes\n")
        // The places of that feed are none of this one's.
        try await work.device.done("sync", "--full")
        try await work.expectDone(in: world)
    }

    /// The answer that the server gave, and strange changes after it.
    private func strangeAnswer(of size: Int, after body: Data) -> Data {
        var answer = (try? JSONSerialization.jsonObject(with: body) as? [String: Any]) ?? [:]
        let place = max(1_000, answer["head"] as? Int ?? 0) + Int.random(in: 0..<1 << 40)
        let strange: [[String: Any]] = (place..<place + size).map { place in
            ["entity_type": "planet", "entity_id": "p\(place)", "revision": place, "record": ["size": 1]]
        }
        answer["changes"] = (answer["changes"] as? [Any] ?? []) + strange
        answer["more"] = true
        return (try? JSONSerialization.data(withJSONObject: answer)) ?? body
    }

    /// The page that the server gave, and strange changes after it: more of them for ever, and the same for the same
    /// question.
    private func strangePage(of size: Int, after body: Data) -> Data {
        let page = (try? JSONSerialization.jsonObject(with: body) as? [String: Any]) ?? [:]
        let first = max(1_000, page["next_cursor"] as? Int ?? 0) + 1
        let strange: [[String: Any]] = (first..<first + size).map { place in
            [
                "id": place, "entity_type": "planet", "operation": "create", "entity_id": "p\(place)",
                "data": ["size": 1],
            ]
        }
        let whole: [String: Any] = [
            "changes": (page["changes"] as? [Any] ?? []) + strange, "next_cursor": first + size - 1, "has_more": true,
        ]
        return (try? JSONSerialization.data(withJSONObject: whole)) ?? body
    }
}
