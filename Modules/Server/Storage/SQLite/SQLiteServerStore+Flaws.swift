import GRDB

extension SQLiteServerStore {
    /// How many sentences SQLite's own check may say.
    private static let mostSentences = 20

    /// What SQLite's own check finds, and rows whose account is not there.
    public func flaws() throws -> [String] {
        try reading { database in
            let said = try database.rows("PRAGMA integrity_check(\(Self.mostSentences))", []).map { $0[0] as String }
            let damage = said == ["ok"] ? [] : said.map { "the file is damaged: \($0)" }
            return try damage
                + Self.strays.compactMap { what, condition in
                    let row = try database.row("SELECT count(*) FROM \(condition)", [])
                    let count: Int64 = row?[0] ?? 0
                    return count == 0 ? nil : "\(count) \(what) belong to no account"
                }
        }
    }

    private static let strays = [
        ("records and tombstones", "record WHERE account NOT IN (SELECT account FROM history)"),
        ("keys of requests", "outcome WHERE account NOT IN (SELECT account FROM history)"),
        ("counts of records", "usage WHERE account NOT IN (SELECT account FROM history)"),
        ("references", "record_reference WHERE child NOT IN (SELECT number FROM record)"),
        ("sign-ins", "session WHERE user_id NOT IN (SELECT id FROM account)"),
        ("tokens", "token WHERE session_id NOT IN (SELECT id FROM session)"),
    ]
}
