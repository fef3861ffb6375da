/// The steps by which an account goes, with everything that belongs to it. They are carried out in their order.
///
/// Where they end halfway, the account is still there, without sign-ins and with a part of its records; deleting it again
/// goes on. Large steps go in bounded pieces, between which others write.
struct AccountDeletion {
    enum Step {
        case accounts(@Sendable () throws -> Void)
        case records(PreparedWrite<Void>)
    }

    let steps: [Step]

    init(of userId: String, _ accounts: AccountService, _ records: RecordService) {
        steps = [
            .accounts { _ = try accounts.endSessions(of: userId) },
            .records(records.prepareRenewal(of: userId)),
            .records(records.prepareErasure(of: userId)),
            .accounts { try accounts.remove(userId) },
            // A request that had begun before the sign-ins ended may have written since. Now that the account is gone,
            // none can begin a history any more.
            .records(records.prepareErasure(of: userId)),
        ]
    }
}
