import TrendyDomain

extension APIClient {
    /// Makes an account and signs in to it; the credentials are saved.
    ///
    /// - Parameter invite: The code of an invitation, for a server that makes accounts by invitation alone.
    /// - Throws: `APIError`; with status 400 or 409 where the address or the password will not do, with 403 where the
    ///   server wants another invitation, and
    ///   `malformedResponse`, before anything is sent, where the backend has no route for it.
    ///   ``CredentialStoreError`` where the credentials cannot be saved.
    @discardableResult
    public func signup(email: String, password: String, invite: String? = nil) async throws -> Credentials {
        let path = try path(routes.account.signup, to: "make an account")
        return try await signIn(path, email: email, password: password, more: invite.map { ["invite": $0] } ?? [:])
    }

    /// Signs in; the credentials are saved.
    ///
    /// - Throws: `APIError`; `unauthorized` where the address or the password is wrong, and `malformedResponse`, before
    ///   anything is sent, where the backend has no route for it.
    ///   ``CredentialStoreError`` where the credentials cannot be saved.
    @discardableResult
    public func login(email: String, password: String) async throws -> Credentials {
        try await signIn(path(routes.account.login, to: "sign in"), email: email, password: password)
    }

    /// Signs out: tells the server, where it has a route for it, and takes the credentials away whatever it says.
    ///
    /// - Throws: `APIError` where the server could not be told (it may keep the token until that runs
    ///   out; here one is signed out all the same). ``CredentialStoreError`` where the credentials
    ///   cannot be taken away.
    public func logout() async throws {
        let outcome: Result<Void, any Error>
        do {
            if let path = routes.account.logout { try reader.check(await send(APIRequest(.post, path))) }
            outcome = .success(())
        } catch APIError.unauthorized {
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try credentials.clear()
        try outcome.get()
    }

    /// The account that is signed in.
    ///
    /// - Throws: `APIError`; `malformedResponse`, before anything is sent, where the backend has no route that tells.
    public func me() async throws -> AccountInfo {
        let response = try await send(APIRequest(.get, try path(routes.account.me, to: "tell who is signed in")))
        let answer = try reader.read(JSONValue.self, from: response, mapping: routes.accountBody)
        let fields = answer.objectValue?["user"]?.objectValue ?? answer.objectValue ?? [:]
        do {
            return try WireCoding.value(AccountInfo.self, from: fields)
        } catch let error as DecodingError {
            throw APIError.malformedResponse("status \(response.status): \(error.inWords)")
        }
    }

    func path(_ route: String?, to purpose: String) throws -> String {
        guard let route else { throw APIError.malformedResponse("the backend has no route to \(purpose)") }
        return route
    }

    private func signIn(
        _ path: String, email: String, password: String, more: [String: String] = [:]
    ) async throws -> Credentials {
        let fields = more.merging(["email": email, "password": password]) { $1 }
        let body = try encode(fields, mapping: routes.accountBody)
        var request = APIRequest(.post, path, body: body)
        request.userAgent = device
        let response = try await sendOpenly(request)
        let answer = try reader.read(SignIn.self, from: response, mapping: routes.accountBody)
        var new = answer.credentials(server: server, replacing: nil, at: clock.now())
        new.email = new.email ?? email
        try credentials.save(new)
        return new
    }
}
