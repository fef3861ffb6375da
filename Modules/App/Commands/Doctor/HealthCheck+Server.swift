import TrendyData
import TrendyDomain
import TrendySync

extension HealthCheck {
    /// Whether somebody is signed in.
    static let signIn = HealthCheck(name: "sign-in") { context in
        let signIn = try context.root.signIn
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
    static let server = HealthCheck(name: "server") { context in
        guard let server = try context.root.signIn.current?.server else {
            return [.ok("not asked, because nobody is signed in")]
        }
        let client = try context.root.networkClient
        do {
            // The question is a request like any other: while the server wants silence it is not asked.
            try await context.root.engine.underBreaker { try await client.checkHealth() }
            return [.ok("\(server) answers")]
        } catch APIError.rateLimited(let pause) {
            let time = pause.map { " for \(Int($0.rounded(.up))) s" } ?? ""
            return [
                .warning(
                    "\(server) has asked for a pause\(time); nothing is sent until it is over",
                    remedy: "wait, or send at once with 'trendy sync --now'")
            ]
        } catch is StoreError {
            return [.warning("\(server) was not asked, because the store cannot be used", remedy: "mend the store")]
        } catch {
            return [.problem(error)]
        }
    }
}
