import TrendyDomain

extension APIClient {
    private struct Sessions: Decodable {
        var sessions: [AccountSession]
    }

    private struct Ended: Decodable {
        var sessionsEnded: Int

        private enum CodingKeys: String, CodingKey {
            case sessionsEnded = "sessions_ended"
        }
    }

    /// Changes the password, and ends the sign-ins of all other devices.
    ///
    /// - Returns: How many sign-ins were ended.
    /// - Throws: `APIError`; with status 403 where the present password is wrong, with 400 where the new one will not do.
    public func changePassword(from present: String, to new: String) async throws -> Int {
        let path = try path(routes.account.password, to: "change the password")
        let body = try encode(["password": present, "new_password": new], mapping: routes.accountBody)
        let response = try await send(APIRequest(.post, path, body: body))
        return try reader.read(Ended.self, from: response, mapping: routes.accountBody).sessionsEnded
    }

    /// The devices on which somebody is signed in, the one that was used last first.
    ///
    /// - Throws: `APIError`.
    public func sessions() async throws -> [AccountSession] {
        let response = try await send(APIRequest(.get, try path(routes.account.sessions, to: "list sign-ins")))
        return try reader.read(Sessions.self, from: response, mapping: routes.accountBody).sessions
    }

    /// Ends the sign-in of a device.
    ///
    /// - Throws: `APIError`; with status 404 where there is none of that id.
    public func endSession(_ id: String) async throws {
        let path = try path(routes.account.sessions, to: "end sign-ins") + "/" + APIRequest.segment(id)
        try reader.check(await send(APIRequest(.delete, path)))
    }

    /// Ends the sign-ins of all devices, this one too; the credentials are taken away.
    ///
    /// - Returns: How many sign-ins there were.
    /// - Throws: `APIError`; ``CredentialStoreError`` where the credentials cannot be taken away.
    public func signOutEverywhere() async throws -> Int {
        let path = try path(routes.account.sessions, to: "end sign-ins")
        let response = try await send(APIRequest(.delete, path))
        let ended = try reader.read(Ended.self, from: response, mapping: routes.accountBody).sessionsEnded
        try credentials.clear()
        return ended
    }

    /// Deletes the account with all that it has on the server; the credentials are taken away.
    ///
    /// - Throws: `APIError`; with status 403 where the password is wrong, with 400 where the address is another's;
    ///   `notAServer` for a success other than the protocol's (204), which deletes nothing.
    ///   ``CredentialStoreError`` where the credentials cannot be taken away.
    public func deleteAccount(email: String, password: String) async throws {
        let path = try path(routes.account.deletion, to: "delete the account")
        let body = try encode(["email": email, "password": password], mapping: routes.accountBody)
        let response = try await send(APIRequest(.post, path, body: body))
        try reader.check(response)
        guard response.status == 204 else {
            throw APIError.notAServer(
                "it answered \(response.status) to the deletion of the account, not as a Trendy server; nothing says "
                    + "that the account was deleted")
        }
        try credentials.clear()
    }
}
