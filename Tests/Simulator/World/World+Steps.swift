import Foundation
import TrendyData
import TrendyDomain
import TrendyServer
import TrendyTestSupport

extension World {
    private enum Kind {
        case network, act, sync, time, fault
    }

    /// One step of the history: one decision, and all that follows from it until every task waits again.
    func step(_ number: Int) throws {
        var dice = Dice(seed: seed, stream: UInt64(number))
        trace.note("\(number):")
        endOutages()
        let choices: [(Kind, Int)] = [
            (.network, shares.network), (.act, shares.act), (.sync, shares.sync), (.time, shares.time),
            (.fault, shares.fault),
        ]
        switch dice.weighted(choices) ?? .time {
        case .network: try moveNetwork(&dice)
        case .act: try act(&dice)
        case .sync: beginSync(&dice)
        case .time: passTime(&dice)
        case .fault: try misfortune(&dice)
        }
        settle()
        try tellHints(number)
        try exchangeStores(number)
    }

    private func beginSync(_ dice: inout Dice) {
        guard let device = dice.pick(devices) else { return }
        startSync(livingProcess(device, &dice), full: dice.chance(0.06))
    }

    private func passTime(_ dice: inout Dice) {
        // A transaction that has its place in the feed is done before the feed counts as settled.
        let isCommitting = network.exchanges.contains { if case .committing = $0.stage { true } else { false } }
        let most = dice.chance(0.2) && !isCommitting ? 120_000 : 4_000
        let milliseconds = Int64(dice.below(most))
        trace.note("time +\(milliseconds)")
        pass(milliseconds: milliseconds)
    }

    private func endOutages() {
        let now = server.clock.now()
        if let end = serverIsDownUntil, end <= now { serverIsDownUntil = nil }
        if let end = serverIsBusyUntil, end <= now { serverIsBusyUntil = nil }
        if let end = exchangeIsMissingUntil, end <= now { exchangeIsMissingUntil = nil }
        if let end = narrowWay?.end, end <= now { narrowWay = nil }
        if let end = signInIsOutUntil, end <= now {
            signInIsOutUntil = nil
            server.signInIsOut = false
        }
    }

    // MARK: Network

    /// Brings one request or answer a stage further, or not.
    func moveNetwork(_ dice: inout Dice) throws {
        guard let exchange = dice.pick(network.exchanges) else { return passTime(&dice) }
        switch exchange.stage {
        case .travelling:
            if serverIsDownUntil != nil { return lose(exchange, .notSent("connection refused")) }
            if serverIsBusyUntil != nil, exchange.path != "/health" {
                return hand(exchange, .problem(ServerProblem(.rateLimit, "too many requests")))
            }
            if let refusal = refusalOnTheWay(exchange) { return hand(exchange, refusal) }
            let meetsFault = dice.chance(plan.transitRate)
            if meetsFault, let fault = plan.pick(Fault.ofRequests, &dice) {
                return befall(exchange, fault, &dice)
            }
            if exchange.isWrite { finishRivals(of: exchange, &dice) }
            if exchange.isWrite, server.gateway == .rest, plan.has(.slowCommit), dice.chance(plan.slowCommitRate) {
                return beginCommit(exchange)
            }
            serve(exchange, place: nil, &dice)
        case .committing(let since):
            // It takes its time, so that others commit after it, and are read before it.
            if dice.chance(0.9), server.clock.now().seconds(since: since) < 25 { return }
            finish(exchange, &dice)
        case .answered(let response):
            if exchange.isAbandoned { return network.remove(exchange.id) }
            if let refusal = refusalOnTheWay(exchange, response) { return hand(exchange, refusal) }
            if dice.chance(plan.transitRate), let fault = plan.pick(Fault.ofAnswers, &dice) {
                return befall(exchange, response, fault, &dice)
            }
            deliver(exchange, response, &dice)
        }
    }

    private func lose(_ exchange: Exchange, _ error: APIError, stays: Bool = false) {
        trace.note("#\(exchange.id) fails: \(error)\(stays ? ", and travels on" : "")")
        fail(exchange, error, stays: stays)
        settle()
    }

    private func beginCommit(_ exchange: Exchange) {
        let place = server.feed.reserve()
        reserved[exchange.id] = place
        trace.note("#\(exchange.id) begins its transaction, with the place \(place)")
        let now = server.clock.now()
        network.update(exchange.id) { $0.stage = .committing(since: now) }
    }

    private func finish(_ exchange: Exchange, _ dice: inout Dice) {
        serve(exchange, place: reserved.removeValue(forKey: exchange.id), &dice)
    }

    /// A transaction locks the records that it changes before they get their places in the feed: another one that
    /// changes one of them waits for it, so that of each record the places are in the order of the commits.
    private func finishRivals(of exchange: Exchange, _ dice: inout Dice) {
        let records = exchange.records
        for rival in network.exchanges where rival.id != exchange.id {
            guard case .committing = rival.stage, !rival.records.isDisjoint(with: records) else { continue }
            finish(rival, &dice)
        }
    }

    /// The server answers.
    func serve(_ exchange: Exchange, place: Int64?, _ dice: inout Dice) {
        var response = server.handle(exchange, place: place, dice: &dice)
        response.headers["date"] = server.clock.now().inHTTP
        trace.note(
            "#\(exchange.id) is answered \(response.status) \(Trace.digest(response.body))\(outcomes(response, exchange))"
        )
        if exchange.isAbandoned { return network.remove(exchange.id) }
        network.update(exchange.id) { $0.stage = .answered(response) }
    }

    /// What the server says to each change, in their order.
    private func outcomes(_ response: TransportResponse, _ exchange: Exchange) -> String {
        guard exchange.isSync, response.status == 200, let answer = answer(response) else { return "" }
        return answer.results.map { " \($0.outcome) at \($0.revision)" }.joined(separator: ",")
    }

    private func deliver(_ exchange: Exchange, _ response: TransportResponse, _ dice: inout Dice) {
        var response = response
        if dice.chance(plan.transitRate * 2) { response = distorted(response, exchange, &dice) }
        hand(exchange, response)
    }

    func hand(_ exchange: Exchange, _ response: TransportResponse) {
        if exchange.isAbandoned { return network.remove(exchange.id) }
        trace.note("#\(exchange.id) gets \(response.status) \(Trace.digest(response.body))")
        check { try $0.received(response, exchange, in: self) }
        network.deliver(exchange.id, response)
        settle()
    }

    private func befall(_ exchange: Exchange, _ fault: Fault, _ dice: inout Dice) {
        trace.note("#\(exchange.id) meets \(fault)")
        switch fault {
        case .requestLost: lose(exchange, .connection("connection reset"))
        case .requestTimesOut: lose(exchange, .timeout)
        case .requestArrivesLate:
            // A deployed server would carry out a late deletion again.
            lose(exchange, .timeout, stays: exchange.isWrite && !plan.ways.contains(.deletionsHaveNoKeys))
        case .tooManyRequests: hand(exchange, .problem(ServerProblem(.rateLimit, "too many requests")))
        case .retryAfter:
            let seconds = dice.within(1...90)
            hand(exchange, .problem(ServerProblem(.rateLimit, "too many requests", retryAfter: seconds)))
        case .errorBeforeCommit: hand(exchange, .problem(ServerProblem(.internal, "out of memory")))
        case .unavailable: hand(exchange, .problem(ServerProblem(.unavailable, "deploying")))
        case .captivePortal: hand(exchange, .captivePortal)
        case .redirect: hand(exchange, .redirect)
        case .wrongContentType:
            hand(
                exchange, TransportResponse(status: 200, headers: ["Content-Type": "text/plain"], body: Data("ok".utf8))
            )
        default: hand(exchange, .json(200, Data("{\"changes\": [".utf8)))
        }
    }

    private func befall(_ exchange: Exchange, _ response: TransportResponse, _ fault: Fault, _ dice: inout Dice) {
        trace.note("#\(exchange.id) meets \(fault)")
        switch fault {
        case .answerLost: lose(exchange, .connection("connection reset"))
        case .answerTimesOut: lose(exchange, .timeout)
        case .answerTruncated where !response.body.isEmpty:
            var cut = response
            cut.body = response.body.prefix(dice.below(response.body.count))
            hand(exchange, cut)
        default: hand(exchange, .problem(ServerProblem(.internal, "lost the connection to the log")))
        }
    }

    /// An answer that says something else than the server meant.
    private func distorted(
        _ response: TransportResponse, _ exchange: Exchange, _ dice: inout Dice
    ) -> TransportResponse {
        if exchange.isSync || exchange.path.hasSuffix("/changes"), let fault = plan.pick(Fault.ofPages, &dice) {
            let distorted =
                exchange.isSync
                ? Distortion.exchange(response, exchange, fault, &dice) : Distortion.page(response, fault, &dice)
            return distorted ?? response
        }
        guard plan.has(.batchOmitsItem) else { return response }
        if exchange.isSync { return Distortion.exchangeWithoutResult(response, exchange, &dice) ?? response }
        if exchange.path.hasSuffix("/batch") { return Distortion.batchWithoutItem(response, &dice) ?? response }
        return response
    }
}
