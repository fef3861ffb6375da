import Foundation
import Testing
import TrendyFaultProxy

/// A feed that says something else than the server's.
struct FeedLie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout [String: Any]) -> Void

    var fault: Fault {
        .rewriteBody(testDescription) { body in
            guard var feed = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else { return body }
            change(&feed)
            return (try? JSONSerialization.data(withJSONObject: feed)) ?? body
        }
    }

    private static func cursor(_ feed: [String: Any]) -> Int { feed["next_cursor"] as? Int ?? 0 }

    static let all = [
        FeedLie(testDescription: "a negative cursor") { $0["next_cursor"] = -1 },
        FeedLie(testDescription: "a cursor that goes back") { $0["next_cursor"] = cursor($0) - 1 },
        FeedLie(testDescription: "more for ever, at one place") { $0["has_more"] = true },
        FeedLie(testDescription: "more for ever, and nothing in it") {
            $0["changes"] = [Any]()
            $0["has_more"] = true
            $0["next_cursor"] = cursor($0) + 1
        },
        FeedLie(testDescription: "nothing, with a cursor far ahead") {
            $0["changes"] = [Any]()
            $0["next_cursor"] = 1_000_000
        },
        FeedLie(testDescription: "every change twice") {
            let changes = $0["changes"] as? [Any] ?? []
            $0["changes"] = changes.flatMap { [$0, $0] }
        },
        FeedLie(testDescription: "changes in the wrong order") {
            $0["changes"] = Array(($0["changes"] as? [Any] ?? []).reversed())
        },
        FeedLie(testDescription: "no changes at all, and null for them") { $0["changes"] = NSNull() },
        FeedLie(testDescription: "a cursor that is text") { $0["next_cursor"] = "soon" },
    ]
}

@Suite("A feed that cannot be right", .fewAtOnce, .timeLimit(.minutes(10)))
struct HostileFeedTests {
    @Test("ends the sync within few requests, and what it hid comes when it is right again", arguments: FeedLie.all)
    func lie(_ lie: FeedLie) async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        let phone = try world.makeDevice()
        try await phone.sync()
        try await phone.importNotes(["from the phone"], type: "swim")
        try await phone.sync()
        world.proxy.forgetRequests()
        world.proxy.follow(FaultPlan(lie.fault, "GET", "/api/v1/changes$"))
        for _ in 0..<2 {
            let outcome = try await work.device.syncUnderFaults()
            #expect(outcome.status == 0 || outcome.status == 69, "\(outcome)")
        }
        #expect((1...10).contains(world.proxy.count("GET", "/api/v1/changes")), "\(world.proxy.requests)")
        world.proxy.heal()
        try await phone.importNotes(["later"], type: "swim")
        try await phone.sync()
        try await world.expectAgreement(of: work.device, phone)
        #expect(try DatabaseFile(of: work.device).notes() == (work.notes + ["from the phone", "later"]).sorted())
        #expect(try DatabaseFile(of: work.device).queue() == [])
    }
}
