import Foundation
public import TrendyDomain

/// A code that somebody may sign up with, once.
public struct Invitation: Codable, Sendable, Hashable {
    /// What is given at the sign-up. It is told once: the server keeps a hash of it.
    public var code: String
    /// The only address that it is good for; nil where it is good for any.
    public var email: String?
    /// When it is no longer good.
    public var expiresAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case code, email
        case expiresAt = "expires_at"
    }
}

extension AccountService {
    /// Makes an invitation.
    ///
    /// - Parameters:
    ///   - email: The only address that it is good for; nil for any.
    ///   - seconds: How long it is good.
    /// - Throws: ``ServerProblem`` where the address has an account already, or is none.
    public func invite(_ email: String?, lasting seconds: Double) throws -> Invitation {
        let address = email.map { PasswordCredentials(email: $0, password: "").normalizedEmail }
        if let address, !PasswordCredentials.isEmail(address) {
            throw ServerProblem.field("email", "must be an e-mail address")
        }
        let now = clock.now()
        let invitation = Invitation(
            code: makeWord(groups: 4, of: 5), email: address, expiresAt: now.advanced(bySeconds: seconds))
        try store.writeAccounts { transaction in
            if let address, try transaction.account(email: address) != nil {
                throw ServerProblem(.conflict, "there is an account \(address) on this server already")
            }
            try transaction.insert(
                StoredInvite(
                    hash: Self.hash(ofCode: invitation.code), email: address, createdAt: now,
                    expiresAt: invitation.expiresAt))
        }
        return invitation
    }

    /// The hash of an invitation that is good for that address.
    ///
    /// - Throws: ``ServerProblem`` of kind `forbidden`, which does not tell an unknown code from one that was used, has
    ///   ended or is somebody else's.
    func requireInvite(
        _ code: String?, for credentials: PasswordCredentials, _ transaction: any AccountStorage
    ) throws -> Data {
        guard let code else {
            throw ServerProblem(
                .forbidden, "this server makes accounts by invitation alone; ask its operator for an invitation")
        }
        let hash = Self.hash(ofCode: code)
        guard let invite = try transaction.invite(hash: hash), invite.expiresAt > clock.now(),
            invite.email == nil || invite.email == credentials.normalizedEmail
        else {
            throw ServerProblem(
                .forbidden,
                "the invitation is not good for this address, was used, or has ended; ask the server's operator for "
                    + "another")
        }
        return hash
    }

    /// The hash of a code, however it is written.
    private static func hash(ofCode code: String) -> Data {
        hash("invite " + code.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}
