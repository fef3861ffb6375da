import Foundation
import Testing
import TrendyFaultProxy

@Suite("A sign-in that the server does not take", .fewAtOnce, .timeLimit(.minutes(10)))
struct SignInOutageTests {
    @Test("an outage of the sign-in service leaves queue, attempts and records as they are")
    func outage() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        let queue = try DatabaseFile(of: work.device).queue()
        let before = try DatabaseFile(of: work.device).records()
        world.proxy.follow(FaultPlan(.answer(.unauthorized), nil, "/api/v1/"))
        for _ in 0..<3 {
            let outcome = try await work.device.syncUnderFaults()
            #expect(outcome.status == 77, "\(outcome)")
            expectFailure(outcome, 77, mentions: "out of order", "nothing is lost", "try again later")
            #expect(!outcome.errors.contains("trendy login"), "\(outcome)")
        }
        #expect(world.proxy.requests.count <= 9, "\(world.proxy.requests)")
        #expect(try DatabaseFile(of: work.device).queue() == queue)
        #expect(try DatabaseFile(of: work.device).records() == before)
        try await work.expectDone(in: world)
    }

    @Test("while every route answers a bare 401, nobody is sent to log in, and a sign-in says what may be the matter")
    func everyRoute() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.answer(Reply(status: "401 Unauthorized"))))
        for command in [["doctor"], ["doctor", "--verify"], ["sync"], ["status"]] {
            let outcome = try await work.device.run(command)
            #expect(command == ["status"] || outcome.status != 0, "\(outcome)")
            let said = outcome.output + outcome.errors
            #expect(!said.contains("trendy login") && !said.contains("not signed in"), "\(said)")
            #expect(said.contains("may be out of order"), "\(said)")
        }
        let login = ["login", "--server", world.proxy.address, "--email", "person@example.org", "--password-stdin"]
        let health = try await work.device.run(login, input: Data("correct horse battery staple\n".utf8))
        expectFailure(health, 69, mentions: "health check", "out of order", "try again later")
        world.proxy.follow(FaultPlan(.answer(Reply(status: "401 Unauthorized")), nil, "/api/v1/auth/"))
        let refused = try await work.device.run(login, input: Data("correct horse battery staple\n".utf8))
        expectFailure(refused, 77, mentions: "check the e-mail address and the password", "out of order")
        try await work.expectDone(in: world)
    }

    @Test("an outage that a sync by itself meets with the token of the environment is shown as one by status")
    func tokenOfEnvironment() async throws {
        let world = try await FaultyWorld.start()
        var device = try Device()
        device.environment = [
            "TRENDY_SERVER": world.proxy.address, "TRENDY_TOKEN": "token", "TRENDY_AUTOSYNC": "true",
        ]
        world.proxy.follow(FaultPlan(.answer(Reply(status: "401 Unauthorized"))))
        try await device.log("coffee", "--create-type")
        let isShown = try await RealTime.wait { [device] in
            try await device.run("status").output.contains("may be out of order")
        }
        #expect(isShown)
        let said = try await device.run("status")
        #expect(!(said.output + said.errors).contains("trendy login"), "\(said)")
    }

    @Test("a token that has ended is renewed once, though several requests find it ended")
    func renewal() async throws {
        let world = try await FaultyWorld.start(.routes)
        let work = try await Workload.queue(in: world, .routes)
        // Enough for several batches at once.
        try await work.device.importNotes((0..<200).map { "many \($0)" }, type: "walk")
        try await work.device.sync()
        let old = try #require(world.proxy.requests.compactMap(\.token).last)
        try await work.device.importNotes((0..<200).map { "more \($0)" }, type: "walk")
        world.proxy.forgetRequests()
        world.proxy.follow(
            FaultPlan([.init(.init(nil, "/api/v1/", token: old), .always, .answer(.unauthorized))]))
        #expect(try await work.device.syncUnderFaults().status == 0)
        #expect(world.proxy.count("POST", "/api/v1/auth/refresh") == 1, "\(world.proxy.requests)")
        #expect(try await work.device.syncUnderFaults().status == 0)
        #expect(world.proxy.count("POST", "/api/v1/auth/refresh") == 1, "\(world.proxy.requests)")
        try await world.expectAgreement(of: work.device)
        #expect(try DatabaseFile(of: work.device).notes().count == work.notes.count + 400)
    }

    @Test("a renewal whose answer was lost leaves the device signed in")
    func lostRenewal() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        let refresh = FaultPlan.Match("POST", "/api/v1/auth/refresh")
        let first = Way.exchangeRoute
        world.proxy.follow(
            FaultPlan([.init(refresh, .only(1), .loseAnswer), .init(first, .only(1), .answer(.unauthorized))]))
        #expect(try await work.device.syncUnderFaults().status == 69)
        world.proxy.follow(FaultPlan([.init(first, .only(1), .answer(.unauthorized))]))
        #expect(try await work.device.syncUnderFaults().status == 0)
        #expect(world.proxy.count("POST", "/api/v1/auth/refresh") == 2)
        try await work.expectDone(in: world)
    }
}
