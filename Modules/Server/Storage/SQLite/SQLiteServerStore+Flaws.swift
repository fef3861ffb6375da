import GRDB

extension SQLiteServerStore {
    /// How many sentences SQLite's own check may say.
    private static let mostSentences = 20

    /// What SQLite's own check finds, and rows that belong to no account.
    public func flaws() throws -> StoreFlaws {
        try reading { database in
            let said = try database.rows("PRAGMA integrity_check(\(Self.mostSentences))", []).map { $0[0] as String }
            var flaws = StoreFlaws(damage: said == ["ok"] ? [] : said.map { "the file is damaged: \($0)" })
            try flaws.add(Self.strays) { try database.row("SELECT count(*) FROM \($0)", [])?[0] ?? 0 }
            return flaws
        }
    }

    private static let strays =
        [
            StoreFlaws.Strays("records and tombstones", "record WHERE account NOT IN (SELECT account FROM history)"),
            StoreFlaws.Strays("keys of requests", "outcome WHERE account NOT IN (SELECT account FROM history)"),
            StoreFlaws.Strays("counts of records", "usage WHERE account NOT IN (SELECT account FROM history)"),
            StoreFlaws.Strays("runs of servers", "run WHERE account NOT IN (SELECT account FROM history)"),
            StoreFlaws.Strays("references", "record_reference WHERE child NOT IN (SELECT number FROM record)"),
        ] + StoreFlaws.Strays.ofAccounts
}
