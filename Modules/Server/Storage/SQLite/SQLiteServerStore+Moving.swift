import Foundation
import GRDB
import TrendyDomain

extension SQLiteServerStore {
    /// The kept outcomes of a user by their keys: the first ones, or those after one of them.
    func outcomes(of userId: String, after key: String?, limit: Int) throws -> [KeptOutcome] {
        try reading { database in
            let query = try RawStatement(
                """
                SELECT key, digest, outcome, revision, kept_at, errors FROM outcome
                WHERE account = (SELECT account FROM history WHERE user_id = ?)
                    \(key == nil ? "" : "AND key > ?3") ORDER BY key LIMIT ?2
                """, database)
            query.bind(1, userId)
            query.bind(2, Int64(limit))
            if let key { query.bind(3, id: key) }
            var found: [KeptOutcome] = []
            try query.forEach {
                found.append(
                    KeptOutcome(
                        key: query.id(0), digest: query.number(1),
                        outcome: WriteReply.Outcome(rawValue: query.text(2)), revision: query.number(3),
                        at: Timestamp(milliseconds: query.number(4)), errors: query.json(5)))
            }
            return found
        }
    }

    /// How far the earlier runs have written a user's history.
    func runs(of userId: String) throws -> [EndedRun] {
        try reading { database in
            try database.rows(
                "SELECT name, last FROM run WHERE account = (SELECT account FROM history WHERE user_id = ?)", [userId]
            ).map { EndedRun(name: $0[0], last: $0[1]) }
        }
    }

    /// Tokens by their hashes: the first ones, or those after one of them.
    func tokens(after hash: Data?, limit: Int) throws -> [StoredToken] {
        try reading { database in
            let hashes = try database.rows(
                "SELECT hash FROM token WHERE hash > ? ORDER BY hash LIMIT ?", [hash ?? Data(), limit])
            let accounts = SQLiteAccounts(database: database)
            return try hashes.compactMap { try accounts.token(hash: $0[0]) }
        }
    }

    /// All invitations.
    func invites() throws -> [StoredInvite] {
        try reading { database in
            let accounts = SQLiteAccounts(database: database)
            return try database.rows("SELECT hash FROM invite ORDER BY hash", [])
                .compactMap { try accounts.invite(hash: $0[0]) }
        }
    }
}
