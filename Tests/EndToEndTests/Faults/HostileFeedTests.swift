import Foundation
import Testing
import TrendyFaultProxy

/// An answer about what others have done that says something else than the server's.
struct FeedLie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let way: Way
    let change: @Sendable (inout [String: Any]) -> Void

    private init(
        _ way: Way = .routes, testDescription: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void
    ) {
        self.way = way
        self.testDescription = "\(way.rawValue): \(testDescription)"
        self.change = change
    }

    /// The route that the lie comes by.
    var route: FaultPlan.Match { way == .exchange ? Way.exchangeRoute : .init("GET", "/api/v1/changes$") }

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
        FeedLie(.exchange, testDescription: "more for ever, at one place") {
            $0["more"] = true
            $0["cursor"] = "1"
            $0["changes"] = [Any]()
        },
        FeedLie(.exchange, testDescription: "a head far ahead") { $0["head"] = 1_000_000 },
        FeedLie(.exchange, testDescription: "every change twice") {
            let changes = $0["changes"] as? [Any] ?? []
            $0["changes"] = changes.flatMap { [$0, $0] }
        },
        FeedLie(.exchange, testDescription: "changes in the wrong order") {
            $0["changes"] = Array(($0["changes"] as? [Any] ?? []).reversed())
        },
        FeedLie(.exchange, testDescription: "results in the wrong order") {
            $0["results"] = Array(($0["results"] as? [Any] ?? []).reversed())
        },
        FeedLie(.exchange, testDescription: "results of changes that nobody sent") {
            let stranger: [String: Any] = ["key": "01a1fdb6-8785-7766-b458-fcf6c61fbdcf", "outcome": "accepted"]
            $0["results"] = ($0["results"] as? [Any] ?? []) + [stranger]
        },
        FeedLie(.exchange, testDescription: "no changes at all, and null for them") { $0["changes"] = NSNull() },
        FeedLie(.exchange, testDescription: "a cursor that is a number") { $0["cursor"] = 7 },
        FeedLie(.exchange, testDescription: "no epoch") { $0["epoch"] = NSNull() },
    ]
}

@Suite("A feed that cannot be right", .fewAtOnce, .timeLimit(.minutes(10)))
struct HostileFeedTests {
    @Test("ends the sync within few requests, and what it hid comes when it is right again", arguments: FeedLie.all)
    func lie(_ lie: FeedLie) async throws {
        let world = try await FaultyWorld.start(lie.way)
        let work = try await Workload.queue(in: world, lie.way)
        let phone = try world.makeDevice()
        try await phone.sync()
        try await phone.importNotes(["from the phone"], type: "swim")
        try await phone.sync()
        world.proxy.forgetRequests()
        world.proxy.follow(FaultPlan([.init(lie.route, .always, lie.fault)]))
        for _ in 0..<2 {
            let outcome = try await work.device.syncUnderFaults()
            #expect(outcome.status == 0 || outcome.status == 69, "\(outcome)")
        }
        #expect((1...100).contains(world.proxy.count(lie.route.method, lie.route.path)), "\(world.proxy.requests)")
        world.proxy.heal()
        try await phone.importNotes(["later"], type: "swim")
        try await phone.sync()
        try await world.expectAgreement(of: work.device, phone)
        #expect(try DatabaseFile(of: work.device).notes() == (work.notes + ["from the phone", "later"]).sorted())
        #expect(try DatabaseFile(of: work.device).queue() == [])
    }
}
