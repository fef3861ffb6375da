import Crypto
import Foundation
import TrendyDomain

/// Writes everything of one store into another that is empty, and compares what is read back.
struct StoreTransfer {
    /// How many records, keys or tokens are written in a transaction, and how many bytes of documents.
    private static let pieceLimit = 1_000
    private static let bytes = 8 << 20

    let source: SQLiteServerStore
    let target: any ServerStore
    let catalog: RecordCatalog

    func run() throws -> ServerMove.Report {
        var report = ServerMove.Report()
        var (given, taken) = (SHA256(), SHA256())
        try ServerOperator(store: source, catalog: catalog).forEachUser { userId in
            try move(userId, &report)
            try digest(source, userId, into: &given)
            try digest(target, userId, into: &taken)
        }
        let sums = [given.finalize(), taken.finalize()].map { $0.map { String(format: "%02x", $0) }.joined() }
        guard sums[0] == sums[1] else { throw Self.differs("the checksum of the records") }
        report.checksum = sums[0]
        try moveAccounts(&report)
        return report
    }

    private static func differs(_ what: String) -> OperatorError {
        .notMoved(reason: "\(what) is another in the target", remedy: "move again with --anew")
    }

    // MARK: Records

    private func move(_ userId: String, _ report: inout ServerMove.Report) throws {
        guard let history = try source.read(userId, { try $0.history() }) else { return }
        let runs = try source.runs(of: userId)
        try target.write(userId) { transaction in
            try transaction.save(history)
            for run in runs { try transaction.save(run) }
        }
        for type in catalog.schema.types {
            report.records += try moveRecords(of: type.entityType, userId)
        }
        report.tombstones += try moveTombstones(userId)
        report.keys += try moveOutcomes(userId)
        let isProven = try target.read(userId) { transaction in
            try transaction.history() == history
                && runs.allSatisfy { try transaction.lastRevision(of: $0.name) == $0.last }
        }
        guard isProven else { throw Self.differs("a history") }
        let usage = try source.read(userId) { try $0.usage() }
        guard try target.read(userId, { try $0.usage() }) == usage else { throw Self.differs("a count of records") }
    }

    /// Moves records of a kind whose parents are there already.
    private func moveRecords(of type: EntityType, _ userId: String) throws -> Int {
        let codec = try catalog.kind(type).codec
        var (count, after): (Int, RecordPosition?) = (0, nil)
        while true {
            let query = RecordQuery(limit: Self.pieceLimit, after: after)
            let page = try source.read(userId) { try $0.page(of: type, query, byteLimit: Self.bytes) }
            guard let last = page.last else { return count }
            var usage = RecordUsage()
            let writes = try page.map { record, _ in
                usage += RecordUsage(record.document)
                let index = try record.document.map { try codec.changed($0, to: [:]).index }
                return RecordWrite(record: record, index: index ?? RecordIndex())
            }
            let growth = usage
            try target.write(userId) { transaction in
                try transaction.save(writes)
                try transaction.add([type: growth])
            }
            count += page.count
            after = RecordPosition(order: last.order, id: last.record.key.id)
        }
    }

    private func moveTombstones(_ userId: String) throws -> Int {
        var (count, after) = (0, Int64(0))
        while true {
            let page = try source.read(userId) {
                try $0.tombstones(before: Timestamp(milliseconds: .max), after: after, limit: Self.pieceLimit)
            }
            guard let last = page.last else { return count }
            try target.write(userId) { try $0.save(page.map { RecordWrite(record: $0) }) }
            count += page.count
            after = last.revision
        }
    }

    private func moveOutcomes(_ userId: String) throws -> Int {
        var (count, after): (Int, String?) = (0, nil)
        while true {
            let page = try source.outcomes(of: userId, after: after, limit: Self.pieceLimit)
            guard let last = page.last else { return count }
            try target.write(userId) { try $0.save(page) }
            let kept = try target.read(userId) { try $0.outcomes(Set(page.map(\.key))) }
            guard page.allSatisfy({ kept[$0.key] == $0 }) else { throw Self.differs("the key of a request") }
            count += page.count
            after = last.key
        }
    }

    /// Adds all records and tombstones of a user, in the order of their revisions.
    private func digest(_ store: any ServerStore, _ userId: String, into hash: inout SHA256) throws {
        var after = Int64(0)
        while true {
            let page = try store.read(userId) {
                try $0.changes(after: after, upTo: .max, limit: Self.pieceLimit, byteLimit: Self.bytes)
            }
            guard let last = page.last else { return }
            for record in page {
                let facts = [
                    userId, record.key.entityType.rawValue, record.key.id, "\(record.revision)",
                    "\(record.createdRevision)", "\(record.createdAt.milliseconds)",
                    "\(record.updatedAt.milliseconds)", "\(record.document?.count ?? -1)",
                ]
                hash.update(data: Data(facts.joined(separator: "\u{0}").utf8))
                hash.update(data: record.document ?? Data())
            }
            after = last.revision
        }
    }

    // MARK: Accounts

    private func moveAccounts(_ report: inout ServerMove.Report) throws {
        let invites = try source.invites()
        try target.writeAccounts { for invite in invites { try $0.insert(invite) } }
        try moveTokens()
        var accounts: [Account] = []
        while true {
            let last = accounts.last?.email
            let page = try source.readAccounts { try $0.accounts(after: last, limit: Self.pieceLimit) }
            if page.isEmpty { break }
            report.sessions += try moveSessions(of: page)
            accounts += page
        }
        // In one transaction, the last: before it nobody can sign in, and after it everything is there.
        try target.writeAccounts { for account in accounts { try $0.insert(account) } }
        for account in accounts {
            guard try target.readAccounts({ try $0.account(id: account.id) }) == account else {
                throw Self.differs("the account \(account.email)")
            }
        }
        report.accounts = accounts.count
    }

    private func moveTokens() throws {
        var after: Data?
        while true {
            let page = try source.tokens(after: after, limit: Self.pieceLimit)
            guard let last = page.last else { return }
            try target.writeAccounts { for token in page { try $0.insert(token) } }
            let kept = try target.readAccounts { transaction in try page.map { try transaction.token(hash: $0.hash) } }
            guard kept == page else { throw Self.differs("a token") }
            after = last.hash
        }
    }

    private func moveSessions(of accounts: [Account]) throws -> Int {
        var count = 0
        for account in accounts {
            let sessions = try source.readAccounts { try $0.sessions(userId: account.id) }
            if sessions.isEmpty { continue }
            try target.writeAccounts { for session in sessions { try $0.save(session) } }
            guard try Set(target.readAccounts { try $0.sessions(userId: account.id) }) == Set(sessions) else {
                throw Self.differs("a sign-in of \(account.email)")
            }
            count += sessions.count
        }
        return count
    }
}
