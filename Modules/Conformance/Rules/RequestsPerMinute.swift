import TrendyDomain

extension ConformanceRule {
    /// How many requests a minute the protocol allows.
    private static let allowed = 300
    /// What others may send in the account's name meanwhile: its devices sync by themselves.
    private static let slack = 10
    /// Enough for a server without a limit to be known as one.
    private static let mostRequests = 900
    private static let atOnce = 6

    /// What the server let in after a minute of silence.
    private struct Burst {
        var admitted: Int
        var seconds: Double
        /// The refusal that ended it.
        var refused: Answer

        /// How many may be let in: those of a minute at once, and as many a minute from then on.
        private var most: Int {
            ConformanceRule.allowed + Int(Double(ConformanceRule.allowed) * seconds / 60) + ConformanceRule.slack
        }
        var isTooMuch: Bool { admitted > most }
        var isTooLittle: Bool { admitted < ConformanceRule.allowed - ConformanceRule.slack }
        var summary: String { "\(admitted) requests were let in within \(Int(seconds.rounded(.up))) s" }
    }

    /// Counts what is let in until the server has enough, asks again half-way, and looks when it is let in.
    static func checkRequestsPerMinute(_ probe: Probe) async throws {
        var burst = try await sendUntilRefused(probe)
        // A limiter whose minutes are the clock's lets in twice as much where one ends meanwhile: once, not again.
        if burst.isTooMuch { burst = try await sendUntilRefused(probe) }
        let refused = burst.refused
        try demandTooMany(probe, refused)
        let announced = refused.retryAfter ?? 60
        try refused.demand(announced > 0 && announced <= 600, "Retry-After is \(announced) s")
        try await demandEntrance(probe, refused, after: announced)
        if burst.isTooMuch || burst.isTooLittle {
            throw RuleBroken("after a minute of silence \(burst.summary), not \(allowed) a minute", refused)
        }
    }

    private static func demandEntrance(_ probe: Probe, _ refused: Answer, after announced: Double) async throws {
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

    /// Is silent for a minute, so that nothing counts any more, and sends until the server has enough.
    ///
    /// - Throws: ``RuleNotChecked`` where it never has.
    private static func sendUntilRefused(_ probe: Probe) async throws -> Burst {
        try await probe.scene.wait(seconds: 61)
        let start = probe.scene.now()
        func elapsed() -> Double { max(0, probe.scene.now().seconds(since: start)) }
        var admitted = 0
        for _ in 0..<(mostRequests / atOnce) {
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<atOnce { group.addTask { try await ask(probe) } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            for answer in answers where answer.status != 429 {
                try answer.demand(200).demand("id", is: .string(probe.ann.userId))
                admitted += 1
            }
            // The one that was refused last says how long it is from now.
            guard let refused = answers.last(where: { $0.status == 429 }) else { continue }
            return Burst(admitted: admitted, seconds: elapsed(), refused: refused)
        }
        let seconds = Int(elapsed().rounded(.up))
        throw RuleNotChecked(
            reason: "\(mostRequests) requests in a row were let in within \(seconds) s: the server has no such limit, "
                + "or is too slow to reach it")
    }
}
