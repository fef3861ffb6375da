public import TrendyDomain

/// What a pruning has removed.
public struct PruningReport: Codable, Sendable, Hashable {
    /// What was left of deleted records.
    public var tombstones = 0
    /// Keys of requests.
    public var keys = 0
    /// Accounts that were deleted, of which something was left.
    public var remains = 0
}

extension ServerOperator {
    /// Removes what is left of records that were deleted before that moment, and what else has ended before it.
    ///
    /// A device that has not synced since then takes all anew at its next sync; what it has not sent is kept. Keys are
    /// kept for the 90 days of the contract, however early the moment is.
    public func prune(before moment: Timestamp) throws -> PruningReport {
        var report = PruningReport()
        try forEachUser { userId in
            if try store.readAccounts({ try $0.account(id: userId) }) == nil {
                try carryOut(records.prepareErasure(of: userId))
                report.remains += 1
                return
            }
            report.tombstones += try pruneTombstones(of: userId, before: moment)
            report.keys += try pruneKeys(of: userId, before: moment)
        }
        try store.writeAccounts { transaction in
            try transaction.deleteEnded(before: moment)
            try transaction.deleteStrays()
        }
        return report
    }

    /// Tells the id of every user who has a history.
    func forEachUser(_ body: (String) throws -> Void) throws {
        var last: String?
        while true {
            let page = try store.userIds(after: last, limit: Self.pieceLimit)
            for userId in page { try body(userId) }
            guard let end = page.last else { return }
            last = end
        }
    }

    private func pruneTombstones(of userId: String, before moment: Timestamp) throws -> Int {
        var (count, after) = (0, Int64(0))
        while true {
            // It is looked for beside all writers: in an account with many records that takes its time.
            let found = try store.read(userId) {
                try $0.tombstones(before: moment, after: after, limit: Self.pieceLimit)
            }
            guard let last = found.last else { return count }
            count += try piece {
                try store.write(userId) { transaction in
                    let erased = try transaction.erase(found.map { RecordWrite(record: $0) })
                    if erased > 0, var history = try transaction.history() {
                        history.horizon = max(history.horizon, last.revision)
                        try transaction.save(history)
                    }
                    return erased
                }
            }
            after = last.revision
        }
    }

    private func pruneKeys(of userId: String, before moment: Timestamp) throws -> Int {
        let oldest = min(moment, clock.now().advanced(bySeconds: -RecordService.keyLifetime))
        var count = 0
        while true {
            let gone = try piece {
                try store.write(userId) { try $0.deleteOutcomes(before: oldest, limit: Self.pieceLimit) }
            }
            if gone == 0 { return count }
            count += gone
        }
    }
}
