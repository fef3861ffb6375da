import Synchronization
import TrendyDomain

extension Scene {
    /// The account that the rules work in.
    func openAccount() async throws -> SignedInUser {
        if let login { return SignedInUser(self, login, try await signIn(login), isNew: false) }
        guard maySignUp else { throw ConformanceError.noAccount("no e-mail address was given, and none may be made") }
        return try await signUp("ann")
    }

    /// The second account that was given; nil where none was.
    func openOtherAccount() async throws -> SignedInUser? {
        guard let otherLogin else { return nil }
        return SignedInUser(self, otherLogin, try await signIn(otherLogin), isNew: false)
    }

    /// Signs up for a second account; nil where that is not wanted, or the server says that it is forbidden.
    ///
    /// - Throws: ``RuleBroken`` where the server fails at it.
    func makeOtherAccount() async throws -> SignedInUser? {
        guard maySignUp else { return nil }
        let (login, answer) = try await askForAccount("ben")
        if answer.status == 403 { return nil }
        guard answer.isSuccess else {
            let reason = answer.reason.map { " (\($0))" } ?? ""
            throw RuleBroken(
                "a second account cannot be made: \(answer.name) is answered \(answer.status)\(reason)", answer)
        }
        return try account(login, signedUp: answer)
    }

    func signIn(_ login: ConformanceTarget.Login) async throws -> SignedInUser.Session {
        let answer = try await send(.post, "/auth/login", Self.credentials(login))
        if answer.status == 401 || answer.status == 400 { throw ConformanceError.signInRefused(email: login.email) }
        try Self.demandServer(answer)
        // What else is wrong with the answer is for the rules to say.
        if answer.status != 200 { try answer.demand(200) }
        return try Self.session(answer)
    }

    private func signUp(_ name: String) async throws -> SignedInUser {
        let (login, answer) = try await askForAccount(name)
        try Self.demandServer(answer)
        guard answer.isSuccess else {
            let reason = answer.reason.map { " (\($0))" } ?? ""
            throw ConformanceError.noAccount("the server answers a sign-up with \(answer.status)\(reason)")
        }
        return try account(login, signedUp: answer)
    }

    private func account(_ login: ConformanceTarget.Login, signedUp answer: Answer) throws -> SignedInUser {
        let account = SignedInUser(self, login, try Self.session(answer), isNew: true)
        signUpAnswer.withLock { $0 = $0 ?? answer }
        return account
    }

    private func askForAccount(_ name: String) async throws -> (ConformanceTarget.Login, Answer) {
        let login = ConformanceTarget.Login(
            email: "\(marker)-\(name)@example.com", password: "pass \(makeId())")
        // Before it is sent: where no answer comes, the account may be there.
        signUps.withLock { $0.append(login.email) }
        let answer = try await send(.post, "/auth/signup", Self.credentials(login))
        if !answer.isSuccess { signUps.withLock { $0.removeAll { $0 == login.email } } }
        return (login, answer)
    }

    /// Tells a server that refuses from one that knows nothing of signing in.
    private static func demandServer(_ answer: Answer) throws {
        if answer.status == 404 || answer.status == 405 || answer.json.objectValue == nil {
            let body = answer.isJSON ? "" : " without JSON"
            throw ConformanceError.notAServer("\(answer.name) is answered \(answer.status)\(body)")
        }
        if answer.status >= 500 { throw ConformanceError.unreachable("\(answer.name) is answered \(answer.status)") }
    }

    static func credentials(_ login: ConformanceTarget.Login) -> JSONValue {
        ["email": .string(login.email), "password": .string(login.password)]
    }

    static func session(_ answer: Answer) throws -> SignedInUser.Session {
        SignedInUser.Session(
            accessToken: try answer.string("access_token"), refreshToken: try answer.string("refresh_token"),
            userId: answer["user"]["id"].stringValue ?? "")
    }
}
