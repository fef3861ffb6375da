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
                    "nobody is signed in, so nothing is synced",
                    remedy: "trendy login --server \(url) --email ADDRESS")
            ]
        }
        let source = signIn.isFromEnvironment ? ", by TRENDY_TOKEN" : ""
        return [.ok("\(current.email ?? current.userId ?? "somebody") at \(current.server)\(source)")]
    }

    /// The proxy through which the server is reached; no finding where no variable names one.
    static let proxy = HealthCheck(name: "proxy") { scene in
        guard let server = (try? scene.context.root.signIn)?.current?.server else { return [] }
        switch try scene.context.root.configuration.network.proxies.route(to: server.url) {
        case .direct: return []
        case .exempt(let variable): return [.ok("\(server) is reached without a proxy, by \(variable)")]
        case .through(let proxy): return [.ok("\(server) is reached through the proxy \(proxy)")]
        }
    }

    /// Whether the server of the sign-in answers its health route.
    static let server = HealthCheck(name: "server") { scene in
        // Another check reports problems of the sign-in.
        guard let signIn = try? scene.context.root.signIn else { return [] }
        guard let server = signIn.current?.server else {
            return [.ok("not checked, because nobody is signed in")]
        }
        // Without the store, the pauses that the server asked for are unknown.
        if scene.store == .unusable {
            return [
                .warning("\(server) was not checked, because the store is not sound", remedy: "repair the store")
            ]
        }
        let client = try scene.context.root.networkClient
        do {
            // While the server asks to wait, no request is sent, not even this one.
            try await scene.context.root.engine.underBreaker(provesHealth: false) { try await client.checkHealth() }
            scene.server = server
            return [.ok("\(server) answers")]
        } catch APIError.unauthorized {
            throw CommandFailure.refusedHealthCheck(of: server)
        } catch APIError.rateLimited(let pause) {
            let time = pause.map { " for \(Int($0.rounded(.up))) s" } ?? ""
            return [
                .warning(
                    "\(server) asked to wait\(time); nothing is sent before that",
                    remedy: "wait, or send at once with 'trendy sync --now'")
            ]
        }
    }

    /// Whether the clock of this device agrees with the server's.
    static let clock = HealthCheck(name: "clock") { scene in
        guard let server = scene.server else { return [] }
        let context = scene.context
        let client = try context.root.networkClient
        let before = context.now
        let shown = try await context.root.engine.underBreaker(provesHealth: false) { try await client.serverTime() }
        guard let shown else {
            return [.ok("\(server) does not send its time")]
        }
        return [ClockHealth.finding(ClockReading(server: shown, askedAt: before, answeredAt: context.now))]
    }

    /// Whether the server accepts the sign-in.
    static let access = HealthCheck(name: "access") { scene in
        guard let server = scene.server else { return [] }
        scene.standing = try await scene.context.root.engine.askForNews()
        return [.ok("\(server) accepts the sign-in")]
    }

    /// Which routes of the server are used.
    static let routes = HealthCheck(name: "routes") { scene in
        guard scene.store == .sound, let routes = try scene.context.root.engine.routes() else { return [] }
        return [RouteHealth.finding(routes, zone: scene.context.process.zone)]
    }
}

/// The routes of the server in use.
enum RouteHealth {
    static func finding(_ routes: ServerRoutes, zone: LocalZone) -> HealthFinding {
        if routes.isExchange, routes.refusedSince != nil {
            return .warning(
                "\(routes.text(zone)); a proxy may be in the way, or the server was replaced by an older one",
                remedy: "trendy sync")
        }
        return .ok(routes.text(zone))
    }
}
