import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

extension HealthCheck {
    /// Whether somebody is signed in.
    static let signIn = HealthCheck(name: "sign-in") { scene in
        let signIn = try scene.context.root.signIn
        guard let current = signIn.current else {
            let url = signIn.server?.description ?? "URL"
            return [
                .warning(
                    "nobody is signed in, so that nothing is synced",
                    remedy: "trendy login --server \(url) --email ADDRESS")
            ]
        }
        let source = signIn.isFromEnvironment ? ", by TRENDY_TOKEN" : ""
        return [.ok("\(current.email ?? current.userId ?? "somebody") at \(current.server)\(source)")]
    }

    /// Whether the server of the sign-in answers its health route.
    static let server = HealthCheck(name: "server") { scene in
        // What is wrong with the sign-in, the check of it says.
        guard let signIn = try? scene.context.root.signIn else { return [] }
        guard let server = signIn.current?.server else {
            return [.ok("not asked, because nobody is signed in")]
        }
        // The breaker, which every request is under, lies in the store.
        if scene.store == .unusable {
            return [.warning("\(server) was not asked, because the store cannot be used", remedy: "mend the store")]
        }
        let client = try scene.context.root.networkClient
        do {
            // The question is a request like any other: while the server wants silence it is not asked.
            try await scene.context.root.engine.underBreaker(provesHealth: false) { try await client.checkHealth() }
            scene.server = server
            return [.ok("\(server) answers")]
        } catch APIError.rateLimited(let pause) {
            let time = pause.map { " for \(Int($0.rounded(.up))) s" } ?? ""
            return [
                .warning(
                    "\(server) has asked for a pause\(time); nothing is sent until it is over",
                    remedy: "wait, or send at once with 'trendy sync --now'")
            ]
        }
    }

    /// Whether this device's clock goes with the server's.
    static let clock = HealthCheck(name: "clock") { scene in
        guard let server = scene.server else { return [] }
        let context = scene.context
        let client = try context.root.networkClient
        let before = context.now
        let shown = try await context.root.engine.underBreaker(provesHealth: false) { try await client.serverTime() }
        guard let shown else {
            return [.ok("\(server) does not tell its time")]
        }
        return [ClockHealth.finding(server: shown, askedAt: before, answeredAt: context.now)]
    }

    /// Whether the server takes the sign-in for what it is.
    static let access = HealthCheck(name: "access") { scene in
        guard let server = scene.server else { return [] }
        scene.standing = try await scene.context.root.engine.askForNews()
        return [.ok("\(server) accepts the sign-in")]
    }
}

/// What there is to say about this device's clock beside the server's.
enum ClockHealth {
    /// How many seconds the two may be apart. Servers refuse ids that are more than a minute ahead of their clock
    /// (`Docs/openapi.yaml`: `future_timestamp`), and ids have the time of the device that made them.
    static let tolerance = 60.0

    /// - Parameters:
    ///   - shown: The server's clock, to the second.
    ///   - askedAt: When it was asked, by this device's clock.
    ///   - answeredAt: When the answer was there.
    static func finding(server shown: Timestamp, askedAt: Timestamp, answeredAt: Timestamp) -> HealthFinding {
        // The answer was written between the two moments, and says only in which second.
        let travel = max(0, answeredAt.seconds(since: askedAt))
        let lead = askedAt.advanced(bySeconds: travel / 2).seconds(since: shown.advanced(bySeconds: 0.5))
        let doubt = travel / 2 + 0.5
        let apart = DurationText.text(abs(lead).rounded())
        if lead - doubt > tolerance {
            return .problem(
                "this device's clock is \(apart) ahead of the server's, which refuses what is made more than a minute ahead",
                remedy: remedy, .data)
        }
        if -lead - doubt > tolerance {
            return .warning("this device's clock is \(apart) behind the server's", remedy: remedy)
        }
        return .ok("this device's clock goes with the server's\(abs(lead) <= doubt ? "" : " (\(apart) apart)")")
    }

    #if os(macOS)
        private static let remedy = "sudo sntp -sS time.apple.com"
    #else
        private static let remedy = "sudo timedatectl set-ntp true"
    #endif
}
