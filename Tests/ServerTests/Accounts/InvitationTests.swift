import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("A server that makes accounts by invitation alone")
struct InvitationTests {
    private let clock = ManualWallClock()
    private let accounts: AccountService

    init() throws {
        accounts = AccountService(
            store: try SQLiteServerStore(), clock: clock, cost: .minimal, isClosed: true)
    }

    private func signUp(_ email: String, _ invite: String?) throws -> SessionGrant {
        try accounts.signUp(PasswordCredentials(email: email, password: "correct horse"), invite: invite)
    }

    private func isRefused(_ email: String, _ invite: String?) -> Bool {
        problem { try signUp(email, invite) }?.kind == .forbidden
    }

    @Test("takes a code once, however it is written, and keeps only its hash")
    func once() throws {
        let code = try accounts.invite(nil, lasting: 60).code
        #expect(isRefused("ann@example.org", nil) && isRefused("ann@example.org", "no code"))
        let written = " " + code.uppercased().replacing("-", with: " ")
        #expect(try signUp("ann@example.org", written).user.email == "ann@example.org")
        #expect(isRefused("bob@example.org", code))
        let stored = try accounts.store.readAccounts { try $0.invite(hash: Data(code.utf8)) }
        #expect(stored == nil)
    }

    @Test("takes a code for the address that it was made for alone, and not after its end")
    func bound() throws {
        let invitation = try accounts.invite(" ANN@example.org", lasting: 60)
        #expect(invitation.email == "ann@example.org")
        #expect(isRefused("bob@example.org", invitation.code))
        clock.advance(bySeconds: 59)
        #expect(try signUp("Ann@example.org", invitation.code).user.email == "ann@example.org")
        let late = try accounts.invite(nil, lasting: 60)
        clock.advance(bySeconds: 60)
        #expect(isRefused("bob@example.org", late.code))
    }

    @Test("does not use up a code where no account is made")
    func kept() throws {
        _ = try signUp("ann@example.org", accounts.invite(nil, lasting: 60).code)
        let code = try accounts.invite(nil, lasting: 60).code
        #expect(problem { try signUp("ann@example.org", code) }?.kind == .conflict)
        #expect(problem { try signUp("bob", code) }?.kind == .validation)
        #expect(try signUp("bob@example.org", code).user.email == "bob@example.org")
        #expect(problem { try accounts.invite("bob@example.org", lasting: 60) }?.kind == .conflict)
        #expect(problem { try accounts.invite("bob", lasting: 60) }?.kind == .validation)
    }

    @Test("refuses others with 403 over HTTP, and lets those sign in who have an account")
    func routes() async throws {
        let server = try makeServer(
            limits: .unlimitedRequests, store: accounts.store, routes: .trendy, clock: clock, isClosed: true)
        let code = try accounts.invite(nil, lasting: 60).code
        try await server.makeApplication().test(.router) { client in
            let api = API(client: client)
            let credentials = #"{"email":"ann@example.org","password":"correct horse""#
            let refused = try await api.send(.post, "/auth/signup", credentials + "}")
            #expect(refused.status == 403 && refused.problem().type == "urn:trendy:error:forbidden")
            #expect(refused.problem().detail?.contains("invitation") == true)
            let wrong = try await api.send(.post, "/auth/signup", credentials + #","invite":"x"}"#)
            #expect(wrong.status == 403)
            let made = try await api.send(.post, "/auth/signup", credentials + #","invite":"\#(code)"}"#)
            #expect(made.status == 201)
            #expect(try await api.send(.post, "/auth/login", credentials + "}").status == 200)
        }
    }

    @Test("is no other: an open server looks at no code")
    func open() throws {
        let open = AccountService(store: accounts.store, clock: clock, cost: .minimal)
        let credentials = PasswordCredentials(email: "ann@example.org", password: "correct horse")
        #expect(try open.signUp(credentials, invite: "no code").user.email == "ann@example.org")
    }
}
