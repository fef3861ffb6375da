import TrendyDomain

extension ConformanceRule {
    /// Accounts and tokens. They use few sign-ins: a server may let in ten a minute.
    static let authRules: [ConformanceRule] = [
        ConformanceRule(
            .auth, "no-token", "Every route but those of health and sign-in is 401 without a token.", .errors
        ) { probe in
            for (method, path) in guardedRoutes(probe.id()) {
                let answer = try await probe.scene.send(method, path)
                if answer.status == 404, path == summaryPath, try await lacksSummary(probe) { continue }
                try probe.demandProblem(answer, 401, "unauthorized")
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
            for path in ["/changes", "/changes/latest-cursor"] {
                try await probe.ann.get(path).demand(200)
            }
            let summary = try await probe.ann.get(summaryPath)
            if summary.status != 404 { try summary.demand(200) }
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
            .auth, "sign-up", "A sign-up answers 201 with both tokens and the whole user.", .routes
        ) { probe in
            // The run's own, so that no account is made for it that nobody can delete.
            if probe.scene.firstSignUp == nil { _ = try await probe.ben() }
            guard let answer = probe.scene.firstSignUp else {
                throw RuleNotChecked(reason: "it needs a new account; allow signing up for one")
            }
            try await demandSession(probe, answer.demand(201))
        },
        ConformanceRule(
            .auth, "log-in", "A sign-in answers 200 with both tokens and the whole user.", .routes
        ) { probe in
            let credentials = Scene.credentials(probe.ann.login)
            let answer = try await probe.scene.send(.post, "/auth/login", credentials).demand(200)
            try answer.demand(answer["user"]["id"] == .string(probe.ann.userId), "the user has another id")
            try await demandSession(probe, answer)
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
            .auth, "refresh", "A refresh token gives new tokens and the user, as a sign-in does; a wrong one is 401.",
            .routes
        ) { probe in try await checkRefresh(probe) },
        ConformanceRule(
            .auth, "logout", "Signing out ends this sign-in's tokens, and no others.", .openAPI
        ) { probe in
            let session = try await probe.scene.signIn(probe.ann.login)
            try await owner(probe, of: session.accessToken).demand(200)
            var request = try Scene.request(.post, "/auth/logout")
            request.headers["Authorization"] = "Bearer \(session.accessToken)"
            try await probe.scene.send(request).demand(200)
            try await me(probe, session.accessToken).demand(401, because: "this sign-in was ended")
            try await probe.ann.get("/auth/me").demand(200)
        },
    ]

    private static let summaryPath = "/me/sync"

    /// Whether the server has no summary at all, which is for `routes.sync-summary` to say.
    private static func lacksSummary(_ probe: Probe) async throws -> Bool {
        try await probe.ann.get(summaryPath).status == 404
    }

    private static func guardedRoutes(_ id: String) -> [(WireRequest.Method, String)] {
        var routes: [(WireRequest.Method, String)] = [
            (.get, "/auth/me"), (.post, "/auth/logout"), (.get, "/changes"), (.get, "/changes/latest-cursor"),
            (.get, summaryPath), (.post, "/events/batch"), (.get, "/event-types/\(id)/properties"),
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

    /// Who a good token is of; one that is refused and then accepted is an outage of the sign-in service.
    private static func owner(_ probe: Probe, of token: String) async throws -> Answer {
        let first = try await me(probe, token)
        var answer = first
        for seconds in [1.0, 2, 4] where answer.status == 401 {
            try await probe.scene.wait(seconds: seconds)
            answer = try await me(probe, token)
        }
        if first.status == 401, answer.status != 401 {
            let reason = "\(first.name) with a good token was answered 401, and then \(answer.status)"
            probe.deviates(.outageLooksLikeSignedOut, reason, first, answer)
        }
        return answer
    }

    /// Demands both tokens, of which the first is good, and the whole user that it is of.
    private static func demandSession(_ probe: Probe, _ answer: Answer) async throws {
        let session = try Scene.session(answer)
        try answer.demand(!session.accessToken.isEmpty && !session.refreshToken.isEmpty, "a token is empty")
        let user = answer["user"]
        for field in ["id", "email"] {
            try answer.demand(user[field].stringValue?.isEmpty == false, "the user has no \(field)")
        }
        for field in ["created_at", "updated_at"] {
            try answer.demand(user[field].stringValue.flatMap { Timestamp($0) } != nil, "the user has no \(field)")
        }
        let known = try await owner(probe, of: session.accessToken).demand(200, because: "the token was just given")
        try known.demand("id", is: user["id"])
        let (email, given) = (try known.string("email"), user["email"].stringValue ?? "")
        try answer.demand(email.lowercased() == given.lowercased(), "the user's address is \(given), not \(email)")
    }

    private static func checkRefresh(_ probe: Probe) async throws {
        let session = try await probe.scene.signIn(probe.ann.login)
        let body: JSONValue = ["refresh_token": .string(session.refreshToken)]
        let answer = try await probe.scene.send(.post, "/auth/refresh", body)
        if answer.status == 404 || answer.status == 405 {
            return probe.deviates(.noRefresh, "POST /auth/refresh is answered \(answer.status)", answer)
        }
        try await demandSession(probe, answer.demand(200))
        let wrong: JSONValue = ["refresh_token": .string("no-token-\(probe.id())")]
        try probe.demandProblem(try await probe.scene.send(.post, "/auth/refresh", wrong), 401, "unauthorized")
    }
}
