import Synchronization
import TrendyDomain

/// How much an account may keep.
public struct AccountQuota: Sendable, Hashable {
    /// How many records; nil for any number.
    public var records: Int?
    /// How many bytes their documents may have, as the store keeps them; nil for any number.
    public var bytes: Int?

    /// Makes a quota of its parts; 0 means no limit, as nil does.
    public init(records: Int? = nil, bytes: Int? = nil) {
        self.records = records == 0 ? nil : records
        self.bytes = bytes == 0 ? nil : bytes
    }

    /// Refuses a change that lets an account grow beyond what it may keep.
    ///
    /// What does not grow passes, also where the account has more than it may: a quota that was lowered takes nothing away.
    ///
    /// - Throws: ``ServerProblem`` of kind `quotaExceeded`.
    func admit(_ change: RecordUsage, beside used: RecordUsage) throws {
        if let records, change.records > 0, used.records + change.records > Int64(records) {
            throw Self.problem("has \(used.records) of at most \(records) records")
        }
        if let bytes, change.bytes > 0, used.bytes + change.bytes > Int64(bytes) {
            throw Self.problem(
                "has \(used.bytes) of at most \(bytes) bytes, and this would be \(change.bytes) more")
        }
    }

    private static func problem(_ fact: String) -> ServerProblem {
        let message = "\(fact); delete what is not needed, or ask who runs the server for more room"
        return ServerProblem(
            .quotaExceeded, "the account \(message)",
            errors: [FieldError(field: "account", message: message, code: "quota_exceeded")])
    }
}

/// The quota of every account, which can be changed while the server runs.
final class QuotaSetting: Sendable {
    private let current: Mutex<AccountQuota>

    init(_ quota: AccountQuota) { current = Mutex(quota) }

    var quota: AccountQuota {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
