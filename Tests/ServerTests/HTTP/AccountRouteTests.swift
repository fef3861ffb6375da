import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The account routes")
struct AccountRouteTests {
    private static let credentials = #"{"email":" Ann@Example.org ","password":"correct horse"}"#

    @Test("signing up, in, refreshing, asking who one is, signing out")
    func wholeLife() async throws {
        let server = try TestServer()
        try await server.test { [clock = server.clock] api in
            let signup = try await api.send(.post, "/auth/signup", Self.credentials)
            #expect(signup.status == 201)
            #expect(signup["user"].objectValue?["email"] == "ann@example.org")
            let login = try await api.send(.post, "/auth/login", Self.credentials)
            #expect(login.status == 200 && login["user"] == signup["user"])
            let first = API(client: api.client, token: signup["access_token"].stringValue)
            let second = API(client: api.client, token: login["access_token"].stringValue)
            #expect(try await first.send(.get, "/auth/me").json == signup["user"])
            clock.advance(bySeconds: 3601)
            #expect(try await second.send(.get, "/auth/me").status == 401)
            let refresh = #"{"refresh_token":"\#(login["refresh_token"].stringValue ?? "")"}"#
            let refreshed = try await api.send(.post, "/auth/refresh", refresh)
            #expect(refreshed.status == 200 && refreshed["refresh_token"] != login["refresh_token"])
            let renewed = API(client: api.client, token: refreshed["access_token"].stringValue)
            #expect(try await renewed.send(.get, "/auth/me").status == 200)
            #expect(try await renewed.send(.post, "/auth/logout").status == 200)
            #expect(try await renewed.send(.get, "/auth/me").status == 401)
            #expect(try await api.send(.post, "/auth/refresh", refresh).status == 401)
            let other = #"{"refresh_token":"\#(signup["refresh_token"].stringValue ?? "")"}"#
            #expect(try await api.send(.post, "/auth/refresh", other).status == 200)
        }
    }

    @Test("wrong passwords and unknown addresses look the same")
    func wrongCredentials() async throws {
        try await TestServer().test { api in
            _ = try await api.send(.post, "/auth/signup", Self.credentials)
            let wrong = try await api.send(
                .post, "/auth/login", #"{"email":"ann@example.org","password":"wrong horse"}"#)
            let unknown = try await api.send(
                .post, "/auth/login", #"{"email":"eve@example.org","password":"whatever"}"#)
            #expect(wrong.status == 401 && unknown.status == 401)
            #expect(wrong.problem().detail == unknown.problem().detail)
            #expect(wrong.header("WWW-Authenticate")?.hasPrefix("Bearer") == true)
        }
    }

    /// Ann, signed in on two devices.
    private func twoDevices(_ api: API) async throws -> (API, API) {
        let first = try await api.signedUp("ann@example.org")
        let login = try await api.send(
            .post, "/auth/login", Self.credentials,
            headers: ["User-Agent": "phone\t\(String(repeating: "x", count: 300))"])
        return (first, API(client: api.client, token: login["access_token"].stringValue))
    }

    @Test("a new password wants the present one, ends all other sign-ins, and is the only one then")
    func password() async throws {
        try await TestServer().test { api in
            let (first, second) = try await twoDevices(api)
            func change(_ present: String, _ new: String) async throws -> Answer {
                try await first.send(
                    .post, "/auth/password", #"{"password":"\#(present)","new_password":"\#(new)"}"#)
            }
            let wrong = try await change("wrong horse", "correct staple")
            #expect(wrong.status == 403 && wrong.problem().errors?.first?.field == "password")
            let weak = try await change("correct horse", "password")
            #expect(weak.status == 400 && weak.problem().errors?.first?.field == "new_password")
            #expect(try await second.send(.get, "/auth/me").status == 200)
            let changed = try await change("correct horse", "correct staple")
            #expect(changed.status == 200 && changed["sessions_ended"] == 1)
            #expect(try await first.send(.get, "/auth/me").status == 200)
            #expect(try await second.send(.get, "/auth/me").status == 401)
            #expect(try await api.send(.post, "/auth/login", Self.credentials).status == 401)
            let staple = #"{"email":"ann@example.org","password":"correct staple"}"#
            #expect(try await api.send(.post, "/auth/login", staple).status == 200)
        }
    }

    @Test("sign-ins are listed with their devices and ended one by one, each by its owner alone")
    func sessions() async throws {
        try await TestServer().test { api in
            let (first, second) = try await twoDevices(api)
            let bob = try await api.signedUp("bob@example.org")
            let listed = try await second.send(.get, "/auth/sessions")["sessions"]
            guard case .array(let sessions) = listed, sessions.count == 2 else {
                Issue.record("\(listed)")
                return
            }
            let phone = sessions.first { $0.objectValue?["is_current"] == true }?.objectValue ?? [:]
            #expect(phone["device"]?.stringValue?.hasPrefix("phonexxx") == true)
            #expect(phone["device"]?.stringValue?.count == 200)
            let id = phone["id"]?.stringValue ?? ""
            #expect(try await bob.send(.delete, "/auth/sessions/\(id)").status == 404)
            #expect(try await first.send(.delete, "/auth/sessions/no").status == 404)
            #expect(try await first.send(.delete, "/auth/sessions/\(id)").status == 204)
            #expect(try await second.send(.get, "/auth/me").status == 401)
            #expect(try await first.send(.get, "/auth/me").status == 200)
            let all = try await first.send(.delete, "/auth/sessions")
            #expect(all.status == 200 && all["sessions_ended"] == 1)
            #expect(try await first.send(.get, "/auth/me").status == 401)
            #expect(try await bob.send(.get, "/auth/me").status == 200)
        }
    }

    @Test("a deletion wants address and password, and leaves nothing")
    func deletion() async throws {
        let server = try TestServer()
        try await server.test { api in
            let ann = try await api.signedUp("ann@example.org")
            let bob = try await api.signedUp("bob@example.org")
            for user in [ann, bob] {
                let type = EventType.sample(user.token == ann.token ? 1 : 2)
                #expect(try await user.send(.post, "/event-types", encoding: type).status == 201)
            }
            func delete(_ email: String, _ password: String) async throws -> Answer {
                try await ann.send(.post, "/auth/delete", #"{"email":"\#(email)","password":"\#(password)"}"#)
            }
            #expect(try await delete("ann@example.org", "wrong horse").status == 403)
            #expect(try await delete("bob@example.org", "correct horse").status == 400)
            #expect(try await ann.send(.get, "/event-types").array.count == 1)
            #expect(try await delete(" Ann@example.org", "correct horse").status == 204)
            #expect(try await ann.send(.get, "/auth/me").status == 401)
            #expect(try await api.send(.post, "/auth/login", Self.credentials).status == 401)
            #expect(try await bob.send(.get, "/event-types").array.count == 1)
            let again = try await api.signedUp("ann@example.org")
            #expect(try await again.send(.get, "/event-types").array.isEmpty)
            #expect(try await again.send(.post, "/event-types", encoding: EventType.sample(1)).status == 201)
        }
    }

    @Test("a password that is sent beside a token is tried few times a minute")
    func guesses() async throws {
        let limits = ServerLimits(requestsPerMinute: nil, signInsPerMinute: 3)
        try await TestServer(limits: limits).test { api in
            let ann = try await api.signedUp("ann@example.org")
            let body = #"{"password":"wrong horse","new_password":"correct staple"}"#
            for expected in [403, 403, 429] {
                #expect(try await ann.send(.post, "/auth/password", body).status == expected)
            }
        }
    }

    @Test("an address has one account")
    func taken() async throws {
        try await TestServer().test { api in
            _ = try await api.send(.post, "/auth/signup", Self.credentials)
            let again = try await api.send(.post, "/auth/signup", Self.credentials)
            #expect(again.status == 409 && again.problem().errors?.first?.field == "email")
        }
    }

    @Test(
        "bad input is refused and says which field is wrong",
        arguments: [
            (#"{"email":"ann","password":"long enough"}"#, "email"),
            (#"{"email":"a b@c.d","password":"long enough"}"#, "email"),
            (#"{"email":"@c.d","password":"long enough"}"#, "email"),
            (#"{"email":"a@c.d","password":"short"}"#, "password"),
            (#"{"email":"a@c.d"}"#, "password"), (#"{"password":"long enough"}"#, "email"),
            (#"{"email":5,"password":"long enough"}"#, "email"), (#"{"email":null,"password":"x"}"#, "email"),
        ])
    func badInput(body: String, field: String) async throws {
        try await TestServer().test { api in
            let refused = try await api.send(.post, "/auth/signup", body)
            #expect(refused.status == 400)
            #expect(refused.problem().errors?.first?.field == field)
        }
    }

    @Test("bad tokens are 401 on every route that asks for one")
    func badTokens() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let login = try await api.send(
                .post, "/auth/login", #"{"email":"ann@example.org","password":"correct horse"}"#)
            let refreshToken = login["refresh_token"].stringValue ?? ""
            for path in ["/events", "/changes", "/auth/me", "/me/sync", "/geofences", "/event-types/\(id(1))"] {
                for header in ["", "Bearer", "Bearer x", "Basic YTpi", "Bearer \(refreshToken)", "Bearer a b"] {
                    let refused = try await api.send(.get, path, headers: ["Authorization": header])
                    #expect(refused.status == 401, "\(path) \(header)")
                    #expect(refused.problem().type == "urn:trendy:error:unauthorized")
                    #expect(refused.header("WWW-Authenticate") != nil)
                }
            }
            let lower = try await api.send(.get, "/auth/me", headers: ["Authorization": "bearer \(ann.token ?? "")"])
            #expect(lower.status == 200)
        }
    }
}
