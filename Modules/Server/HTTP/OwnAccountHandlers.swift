import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handlers of what people do about their own accounts: password, sign-ins, deletion.
struct OwnAccountHandlers: Sendable {
    let accounts: AccountService
    let records: RecordService
    let clientAddress: ClientAddress
    let limits: SignInLimits
    let passwords: PasswordWork
    let blocking: BlockingWork

    private struct PasswordBody: Decodable {
        var password: String
        var newPassword: String

        private enum CodingKeys: String, CodingKey {
            case password
            case newPassword = "new_password"
        }
    }

    private struct DeletionBody: Decodable {
        var email: String
        var password: String
    }

    private struct Ended: Encodable {
        var sessionsEnded: Int

        private enum CodingKeys: String, CodingKey {
            case sessionsEnded = "sessions_ended"
        }
    }

    private struct Sessions: Encodable {
        struct Session: Encodable {
            var summary: SessionSummary
            var isCurrent: Bool

            private enum CodingKeys: String, CodingKey {
                case isCurrent = "is_current"
            }

            func encode(to encoder: any Encoder) throws {
                try summary.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(isCurrent, forKey: .isCurrent)
            }
        }

        var sessions: [Session]
    }

    var routes: [Route] {
        [
            Route(.post, "\(basePath)/auth/password", .password) { try await changePassword($0, $1) },
            Route(.get, "\(basePath)/auth/sessions") { _, context in try await sessions(context) },
            Route(.delete, "\(basePath)/auth/sessions") { _, context in try await endSessions(context) },
            Route(.delete, "\(basePath)/auth/sessions/{id}") { _, context in try await endSession(context) },
            Route(.post, "\(basePath)/auth/delete", .password) { try await delete($0, $1) },
        ]
    }

    private func changePassword(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let user = try context.requireUser()
        let body = try await request.decode(
            PasswordBody.self, fields: ["password", "new_password"], upTo: AccountHandlers.bodySize, context)
        let ended = try await hash(request, context, of: user.userId) { [accounts] in
            try accounts.changePassword(from: body.password, to: body.newPassword, by: user)
        }
        return try Response(encoding: Ended(sessionsEnded: ended))
    }

    /// Does work that hashes a password, when it is the turn of the account and of where the request comes from.
    private func hash<Value: Sendable>(
        _ request: Request, _ context: ServerRequestContext, of userId: String,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let address = clientAddress.limitKey(peer: context.remoteAddress, request.headers)
        let account = try limits.ofAccounts.admit("user \(userId)", from: address)
        return try await passwords.run(address: address, account: account, work)
    }

    private func sessions(_ context: ServerRequestContext) async throws -> Response {
        let user = try context.requireUser()
        let sessions = try await blocking.read { [accounts] in try accounts.sessions(of: user.userId) }
        return try Response(
            encoding: Sessions(
                sessions: sessions.map { Sessions.Session(summary: $0, isCurrent: $0.id == user.sessionId) }))
    }

    private func endSession(_ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let id = try context.requireId()
        try await blocking.write { [accounts] in try accounts.endSession(id, of: userId) }
        return Response(status: .noContent)
    }

    private func endSessions(_ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let ended = try await blocking.write { [accounts] in try accounts.endSessions(of: userId) }
        return try Response(encoding: Ended(sessionsEnded: ended))
    }

    /// Deletes the account, for somebody who types its address and its password.
    private func delete(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let body = try await request.decode(
            DeletionBody.self, fields: ["email", "password"], upTo: AccountHandlers.bodySize, context)
        try await hash(request, context, of: userId) { [accounts] in
            let account = try accounts.verify(body.password, of: userId)
            guard account.email == PasswordCredentials(email: body.email, password: "").normalizedEmail else {
                throw ServerProblem.field("email", "is not the address of this account")
            }
        }
        for step in AccountDeletion(of: userId, accounts, records).steps {
            switch step {
            case .accounts(let run): try await blocking.write(run)
            case .records(let write): try await blocking.commit(write)
            }
        }
        return Response(status: .noContent)
    }
}
