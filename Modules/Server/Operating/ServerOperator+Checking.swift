import Foundation
import TrendyDomain

/// What a check of a server's data has found.
public struct CheckReport: Codable, Sendable, Hashable {
    /// How many accounts were looked at.
    public var accounts = 0
    /// How many records were read.
    public var records = 0
    /// What is wrong, a sentence each; empty where all is well.
    public var problems: [String] = []
    /// What is left of accounts that were deleted, a sentence each. A pruning removes it.
    public var remains: [String] = []
}

extension ServerOperator {
    /// How many problems of one account are told.
    private static let mostProblems = 10

    /// Looks whether the database is whole, and whether what it says of each account is true. It changes nothing.
    ///
    /// - Parameter tell: Told the address of each account before it is looked at.
    public func check(_ tell: (String) throws -> Void = { _ in }) throws -> CheckReport {
        var report = CheckReport()
        let flaws = try store.flaws()
        (report.problems, report.remains) = (flaws.damage, flaws.remains)
        try forEachUser { userId in
            let account = try store.readAccounts { try $0.account(id: userId) }
            if account == nil {
                report.remains.append("records of the account \(userId) are left, which was deleted")
            }
            let name = account?.email ?? userId
            try tell(name)
            // A store may run this again from its beginning.
            let check = try store.read(userId) { transaction in
                var check = AccountCheck(name: name, catalog: catalog)
                try check.run(transaction)
                return check
            }
            report.records += check.records
            report.problems += check.problems.prefix(Self.mostProblems)
            let more = check.problems.count - Self.mostProblems
            if more > 0 { report.problems.append("\(name): \(more) more problems of this account") }
        }
        try forEachAccount { _ in report.accounts += 1 }
        return report
    }
}

/// Compares what is said of an account with its records.
private struct AccountCheck {
    /// How many records, and bytes of them, are read at once.
    private static let limit = 1_000
    private static let byteLimit = 4 << 20

    let name: String
    let catalog: RecordCatalog
    private(set) var records = 0
    private(set) var problems: [String] = []
    private var usage: [EntityType: RecordUsage] = [:]

    init(name: String, catalog: RecordCatalog) {
        self.name = name
        self.catalog = catalog
    }

    mutating func run(_ transaction: any RecordTransaction) throws {
        guard let history = try transaction.history() else { return }
        var last = Int64(0)
        while true {
            let page = try transaction.changes(
                after: last, upTo: .max, limit: Self.limit, byteLimit: Self.byteLimit)
            guard let end = page.last else { break }
            for record in page { look(at: record) }
            last = end.revision
        }
        if last > history.head { say("the latest change has revision \(last), and the head is \(history.head)") }
        if history.horizon > history.head {
            say("the horizon \(history.horizon) is beyond the head \(history.head)")
        }
        let kept = try transaction.usage()
        for type in Set(kept.keys).union(usage.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
            let (said, found) = (kept[type] ?? RecordUsage(), usage[type] ?? RecordUsage())
            guard said != found else { continue }
            say(
                "\(found.records) \(type.displayName) records with \(found.bytes) bytes are there, and \(said.records) "
                    + "with \(said.bytes) bytes were counted")
        }
    }

    private mutating func look(at record: StoredRecord) {
        let what = "the \(record.key.entityType.displayName) \(record.key.id)"
        if record.createdRevision > record.revision { say("\(what) was changed before it was made") }
        guard let document = record.document else { return }
        records += 1
        usage[record.key.entityType, default: RecordUsage()] += RecordUsage(document)
        do {
            let prepared = try catalog.kind(record.key.entityType).codec.changed(document, to: [:])
            if prepared.id != record.key.id { say("\(what) has the id \(prepared.id) in its document") }
        } catch {
            say("\(what) cannot be read: \((error as? ServerProblem)?.description ?? "\(error)")")
        }
    }

    private mutating func say(_ problem: String) { problems.append("\(name): \(problem)") }
}
