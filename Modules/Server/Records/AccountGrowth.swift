import Foundation
import TrendyDomain

/// By how much the changes of a transaction make an account's records more or larger, within what the account may keep.
struct AccountGrowth {
    /// The difference for each kind so far.
    private(set) var byKind: [EntityType: RecordUsage] = [:]
    private let quota: AccountQuota
    /// What the account used before the first change; nil until it is needed.
    private var before: RecordUsage?

    init(within quota: AccountQuota) { self.quota = quota }

    /// Refuses a version of a record for which the account has no room.
    ///
    /// - Parameters:
    ///   - old: The version before; nil for a new record.
    ///   - usage: What the account used before the first change.
    /// - Throws: ``ServerProblem`` of kind `quotaExceeded`.
    mutating func admit(_ document: Data, over old: Data?, usage: () throws -> [EntityType: RecordUsage]) throws {
        if quota == AccountQuota() { return }
        var used = try before ?? usage().values.reduce(into: RecordUsage()) { $0 += $1 }
        before = used
        for growth in byKind.values { used += growth }
        try quota.admit(RecordUsage(document) - RecordUsage(old), beside: used)
    }

    /// Adds a change up.
    mutating func note(_ kind: EntityType, _ document: Data?, over old: Data?) {
        byKind[kind, default: RecordUsage()] += RecordUsage(document) - RecordUsage(old)
    }
}
