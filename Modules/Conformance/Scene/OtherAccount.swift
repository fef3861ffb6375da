import Synchronization

/// The account of another user, which is signed up for when a rule first needs it: accounts cannot be deleted.
final class OtherAccount: Sendable {
    private let opened: Mutex<SignedInUser?>

    /// - Parameter account: The one that was given; nil to sign up for one.
    init(_ account: SignedInUser?) {
        opened = Mutex(account)
    }

    /// The account, where there is one by now.
    var account: SignedInUser? { opened.withLock { $0 } }

    /// The account, signed up for where need be. Rules run one after the other, and ask once each.
    ///
    /// - Throws: ``RuleNotChecked`` where there is none and none may be made, ``RuleBroken`` where the server fails at it.
    func open(in scene: Scene) async throws -> SignedInUser {
        if let account { return account }
        guard let made = try await scene.makeOtherAccount() else {
            throw RuleNotChecked(
                reason: "it needs a second account, and none may be made: name one with --other-email, in code as "
                    + "otherLogin")
        }
        opened.withLock { $0 = made }
        return made
    }
}
