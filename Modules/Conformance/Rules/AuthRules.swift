import TrendyDomain

extension ConformanceRule {
    /// Accounts and tokens. They use few sign-ins: a server may let in ten a minute.
    static let authRules: [ConformanceRule] = [
        ConformanceRule(
            .auth, "no-token", "Every route but those of health and sign-in is 401 without a token.", .errors
        ) { probe in
            for (method, path) in guardedRoutes(probe.id()) {
                try probe.demandProblem(try await probe.scene.send(method, path), 401, "unauthorized")
            }
        },
        ConformanceRule(.auth, "bad-token", "A token that the server did not give is 401.", .errors) { probe in
            let token = probe.ann.token
            for value in ["Bearer nonsense", "Bearer", "Basic YTpi", "Bearer \(token.dropLast(6))AAAAAA"] {
                var request = try Scene.request(.get, "/auth/me")
                request.headers["Authorization"] = value
                try probe.demandProblem(try await probe.scene.send(request), 401, "unauthorized")
            }
        },
        ConformanceRule(.auth, "good-token", "A token that the server gave is accepted on every route.", .routes) {
            probe in
            for path in ["/events", "/event-types", "/geofences"] {
                try await probe.ann.get(path).demand(200).list()
            }
            for path in ["/changes", "/changes/latest-cursor", "/me/sync"] {
                try await probe.ann.get(path).demand(200)
            }
            try await probe.ann.get("/auth/me").demand(200).demand("id", is: .string(probe.ann.userId))
        },
        ConformanceRule(.auth, "me", "GET /auth/me has the user's id, e-mail address and times.", .routes) { probe in
            let answer = try await probe.ann.get("/auth/me").demand(200)
            try answer.demand("id", is: .string(probe.ann.userId))
            let email = try answer.string("email")
            try answer.demand(email.lowercased() == probe.ann.login.email.lowercased(), "the address is \(email)")
            for field in ["created_at", "updated_at"] {
                try answer.demand(answer[field].stringValue.flatMap { Timestamp($0) } != nil, "there is no \(field)")
            }
        },
        ConformanceRule(
            .auth, "wrong-password", "A wrong password is 401, and so is an address without an account.", .routes
        ) { probe in
            for email in [probe.ann.login.email, "\(probe.scene.marker)-nobody@example.com"] {
                let login = ConformanceTarget.Login(email: email, password: "wrong \(probe.id())")
                let answer = try await probe.scene.send(.post, "/auth/login", Scene.credentials(login))
                try probe.demandProblem(answer, 401, "unauthorized")
            }
        },
        ConformanceRule(.auth, "bad-sign-up", "A sign-up without an address or with a short password is 400.", .routes)
        {
            probe in
            let bodies: [JSONValue] = [
                ["email": "no address", "password": "long enough 1"],
                ["email": .string("\(probe.scene.marker)-short@example.com"), "password": "x"],
            ]
            for body in bodies { try probe.demandProblem(try await probe.scene.send(.post, "/auth/signup", body), 400) }
        },
        ConformanceRule(
            .auth, "refresh", "A refresh token gives new tokens once more; a wrong one is 401.", .routes
        ) { probe in try await checkRefresh(probe) },
        ConformanceRule(
            .auth, "logout", "Signing out ends this sign-in's tokens, and no others.", .openAPI
        ) { probe in
            let session = try await probe.scene.signIn(probe.ann.login)
            try await me(probe, session.accessToken).demand(200)
            var request = try Scene.request(.post, "/auth/logout")
            request.headers["Authorization"] = "Bearer \(session.accessToken)"
            try await probe.scene.send(request).demand(200)
            try await me(probe, session.accessToken).demand(401, because: "this sign-in was ended")
            try await probe.ann.get("/auth/me").demand(200)
        },
    ]

    private static func guardedRoutes(_ id: String) -> [(WireRequest.Method, String)] {
        var routes: [(WireRequest.Method, String)] = [
            (.get, "/auth/me"), (.post, "/auth/logout"), (.get, "/changes"), (.get, "/changes/latest-cursor"),
            (.get, "/me/sync"), (.post, "/events/batch"), (.get, "/event-types/\(id)/properties"),
            (.post, "/event-types/\(id)/properties"),
        ]
        for list in ["/events", "/event-types", "/geofences"] { routes += [(.get, list), (.post, list)] }
        for list in ["/events", "/event-types", "/property-definitions", "/geofences"] {
            routes += [WireRequest.Method.get, .put, .delete].map { ($0, "\(list)/\(id)") }
        }
        return routes
    }

    private static func me(_ probe: Probe, _ token: String) async throws -> Answer {
        var request = try Scene.request(.get, "/auth/me")
        request.headers["Authorization"] = "Bearer \(token)"
        return try await probe.scene.send(request)
    }

    private static func checkRefresh(_ probe: Probe) async throws {
        let session = try await probe.scene.signIn(probe.ann.login)
        let body: JSONValue = ["refresh_token": .string(session.refreshToken)]
        let answer = try await probe.scene.send(.post, "/auth/refresh", body)
        if answer.status == 404 || answer.status == 405 {
            return probe.deviates(.noRefresh, "POST /auth/refresh is answered \(answer.status)", answer)
        }
        try answer.demand(200)
        let renewed = try Scene.session(answer)
        try await me(probe, renewed.accessToken).demand(200, because: "the token was just given")
        let wrong: JSONValue = ["refresh_token": .string("no-token-\(probe.id())")]
        try probe.demandProblem(try await probe.scene.send(.post, "/auth/refresh", wrong), 401, "unauthorized")
    }
}
