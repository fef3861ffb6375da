import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The account service")
struct AccountServiceTests {
    let world: ServerWorld
    let credentials = PasswordCredentials(email: "ann@example.org", password: "pässwörd")

    init() throws { world = try ServerWorld() }

    @Test("accepts the password in either Unicode form, and no other")
    func passwords() throws {
        let user = try world.accounts.signUp(credentials).user
        let decomposed = PasswordCredentials(email: "ANN@example.org", password: "pa\u{308}sswo\u{308}rd")
        #expect(try world.accounts.logIn(decomposed).user == user)
        for password in ["pässwörd ", "Pässwörd", "", String(repeating: "x", count: 5000)] {
            let refused = problem {
                try world.accounts.logIn(PasswordCredentials(email: user.email, password: password))
            }
            #expect(refused?.kind == .unauthorized)
        }
    }

    @Test("stores neither passwords nor tokens")
    func nothingReadable() throws {
        let grant = try world.accounts.signUp(credentials)
        let account = try #require(try world.store.readAccounts { try $0.account(email: "ann@example.org") })
        #expect(account.password.hash.count == 32 && account.password.salt.count == 16)
        #expect(grant.accessToken.count == 43 && grant.accessToken != grant.refreshToken)
        #expect(try world.store.readAccounts { try $0.token(hash: Data(grant.accessToken.utf8)) } == nil)
        let other = try world.accounts.signUp(
            PasswordCredentials(email: "bob@example.org", password: credentials.password))
        let bob = try #require(try world.store.readAccounts { try $0.account(id: other.user.id) })
        #expect(bob.password.salt != account.password.salt && bob.password.hash != account.password.hash)
    }

    @Test(
        "a sign-in ends where the account or its password is another once the password is checked",
        arguments: [true, false])
    func changedMeanwhile(isDeleted: Bool) throws {
        let userId = try world.accounts.signUp(credentials).user.id
        let checked = try #require(try world.store.readAccounts { try $0.account(id: userId) })
        if isDeleted {
            try world.accounts.remove(userId)
        } else {
            try world.accounts.setPassword("another horse", of: checked.email)
        }
        #expect(problem { try world.accounts.beginSession(of: checked, device: nil) }?.kind == .unauthorized)
        #expect(try world.store.readAccounts { try $0.sessions(userId: userId) }.isEmpty)
    }

    @Test("a refresh whose answer was lost can be made again, for a while")
    func lostRefresh() throws {
        let grant = try world.accounts.signUp(credentials)
        _ = try world.accounts.refresh(grant.refreshToken)
        world.pass(seconds: 86_399)
        let again = try world.accounts.refresh(grant.refreshToken)
        #expect(try world.accounts.authenticate(again.accessToken).userId == grant.user.id)
        world.pass(seconds: 30 * 86_400)
        #expect(try world.accounts.refresh(again.refreshToken).user == grant.user)
    }

    @Test("a refresh token that is used again after the grace ends its session, and no other")
    func lateReuse() throws {
        let grant = try world.accounts.signUp(credentials)
        let other = try world.accounts.logIn(credentials)
        _ = try world.accounts.refresh(grant.refreshToken)
        world.pass(seconds: 86_399)
        let newest = try world.accounts.refresh(grant.refreshToken)
        world.pass(seconds: 1)
        #expect(problem { try world.accounts.refresh(grant.refreshToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.authenticate(newest.accessToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.refresh(newest.refreshToken) }?.kind == .unauthorized)
        #expect(try world.accounts.refresh(other.refreshToken).user == grant.user)
    }

    @Test("reuse is told until the refresh token would have ended")
    func rememberedReuse() throws {
        var newest = try world.accounts.signUp(credentials)
        let first = newest
        for _ in 0..<8 {
            newest = try world.accounts.refresh(newest.refreshToken)
            world.pass(seconds: 11 * 86_400)
        }
        #expect(problem { try world.accounts.refresh(first.refreshToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.refresh(newest.refreshToken) }?.kind == .unauthorized)
    }

    @Test("two who hold tokens of one refresh cannot both go on", arguments: [false, true])
    func twoChains(secondGoesFirst: Bool) throws {
        let grant = try world.accounts.signUp(credentials)
        let pair = [try world.accounts.refresh(grant.refreshToken), try world.accounts.refresh(grant.refreshToken)]
        let (winner, loser) = secondGoesFirst ? (pair[1], pair[0]) : (pair[0], pair[1])
        let next = try world.accounts.refresh(winner.refreshToken)
        #expect(problem { try world.accounts.refresh(loser.refreshToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.authenticate(next.accessToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.refresh(next.refreshToken) }?.kind == .unauthorized)
    }

    @Test("a token whose successor was used ends the session, within the grace too")
    func overtaken() throws {
        let grant = try world.accounts.signUp(credentials)
        let taken = try world.accounts.refresh(world.accounts.refresh(grant.refreshToken).refreshToken)
        #expect(problem { try world.accounts.refresh(grant.refreshToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.refresh(taken.refreshToken) }?.kind == .unauthorized)
    }

    @Test("a refresh token ends when it ends, and is no access token")
    func refreshExpiry() throws {
        let grant = try world.accounts.signUp(credentials)
        #expect(problem { try world.accounts.authenticate(grant.refreshToken) }?.kind == .unauthorized)
        #expect(problem { try world.accounts.refresh(grant.accessToken) }?.kind == .unauthorized)
        world.pass(seconds: 90 * 86_400)
        #expect(problem { try world.accounts.refresh(grant.refreshToken) }?.kind == .unauthorized)
    }

    @Test("an account has a hundred sign-ins at most: who signs in once more ends the one that was not used longest")
    func manySessions() throws {
        let accounts = world.accounts
        let first = try accounts.signUp(credentials)
        var second: SessionGrant?
        for number in 2...AccountService.mostSessions + 1 {
            world.pass(seconds: 1)
            let grant = try accounts.logIn(credentials)
            if number == 2 { second = grant }
        }
        #expect(try accounts.sessions(of: first.user.id).count == AccountService.mostSessions)
        #expect(problem { try accounts.authenticate(first.accessToken) }?.kind == .unauthorized)
        #expect(try accounts.authenticate(#require(second).accessToken).userId == first.user.id)
    }

    @Test("the standard cost works")
    func standardCost() throws {
        let accounts = AccountService(store: world.store, clock: world.clock)
        _ = try accounts.signUp(credentials)
        #expect(try accounts.logIn(credentials).user.email == "ann@example.org")
    }
}
