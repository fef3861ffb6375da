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
