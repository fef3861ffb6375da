import Foundation
import Testing
import TrendyFaultProxy

@Suite("A server that goes on for ever", .fewAtOnce, .timeLimit(.minutes(10)))
struct EndlessServerTests {
    @Test("is left when so much waits aside, and all is well once that is let go")
    func strangeFeed() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        try await work.device.sync()
        world.proxy.follow(
            FaultPlan(
                .rewriteBody("the feed, and strange changes after it") { strangePage(of: 500, after: $0) }, "GET",
                "/api/v1/changes$"))
        let outcome = try await work.device.syncUnderFaults(within: .seconds(240))
        #expect(outcome.status == 65 && outcome.errors.contains("trendy quarantine discard --all"), "\(outcome)")
        let sync = try await work.device.run("sync", "--json").decode(SyncOutput.self)
        #expect(sync.failure == "quarantine_full")
        #expect(world.proxy.count("GET", "/api/v1/changes") < 40)

        world.proxy.heal()
        let discarded = try await work.device.done("quarantine", "discard", "--all")
        #expect(discarded.output == "discarded 10000 changes\n")
        // The places of that feed are none of this one's.
        #expect(try await work.device.run("sync").status == 65)
        try await work.device.done("sync", "--full")
        try await work.expectDone(in: world)
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
