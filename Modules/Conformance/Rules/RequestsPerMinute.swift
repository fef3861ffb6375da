import TrendyDomain

extension ConformanceRule {
    /// More than the 300 requests that a minute allows, also where the minute ends meanwhile.
    private static let mostRequests = 900
    private static let atOnce = 6

    /// Sends until the server has enough, asks again half-way, and looks when it is let in.
    static func checkRequestsPerMinute(_ probe: Probe) async throws {
        let refused = try await firstRefusal(probe)
        try demandTooMany(probe, refused)
        let announced = refused.retryAfter ?? 60
        try refused.demand(announced > 0 && announced <= 600, "Retry-After is \(announced) s")
        let half = (announced / 2).rounded(.up)
        try await probe.scene.wait(seconds: half)
        let inside = try await ask(probe)
        if inside.status == 429 {
            let rest = inside.retryAfter ?? 60
            if rest > announced - half + 1 { return try await restarted(probe, refused, inside, rest) }
        }
        try await probe.scene.wait(seconds: announced - half + 1)
        let after = try await ask(probe)
        if after.status == 429 { return try await restarted(probe, refused, after, after.retryAfter ?? 60) }
        try after.demand(200)
    }

    /// A refusal has prolonged the wait: only silence ends it then.
    private static func restarted(_ probe: Probe, _ first: Answer, _ second: Answer, _ rest: Double) async throws {
        probe.deviates(
            .refusalsRestartTheWindow, "asking again meanwhile has prolonged the wait to \(rest) s", first, second)
        try await probe.scene.wait(seconds: rest + 1)
        try await ask(probe).demand(200, because: "Retry-After has passed in silence")
    }

    private static func demandTooMany(_ probe: Probe, _ answer: Answer) throws {
        try probe.demandProblem(answer, 429, "rate_limit")
        try answer.demand(answer.header("Retry-After") != nil, "the refusal has no Retry-After")
    }

    private static func ask(_ probe: Probe) async throws -> Answer {
        try await probe.ann.send(Scene.request(.get, "/auth/me"), waits: false)
    }

    private static func firstRefusal(_ probe: Probe) async throws -> Answer {
        for _ in 0..<(mostRequests / atOnce) {
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<atOnce { group.addTask { try await ask(probe) } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            // The one that was refused last says how long it is from now.
            if let refused = answers.last(where: { $0.status == 429 }) { return refused }
        }
        throw RuleBroken("\(mostRequests) requests in a row were answered, none with 429", try await ask(probe))
    }
}
