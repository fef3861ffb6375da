#if Postgres
    import Foundation
    import TrendyDomain

    extension PostgresRecords {
        func tombstones(before moment: Timestamp, after revision: Int64, limit: Int) throws -> [StoredRecord] {
            try transaction.query(
                """
                SELECT \(Self.columns) FROM record WHERE user_id = $1::bytea AND revision > $2::int8
                    AND document IS NULL AND updated_at < $3::int8 ORDER BY revision LIMIT $4::int8
                """, [user, .number(revision), .number(moment.milliseconds), .number(Int64(limit))]
            ).map(Self.record)
        }

        func erase(_ records: [RecordWrite]) throws -> Int {
            if records.isEmpty { return 0 }
            let keys = records.map(\.record.key)
            let gone = try transaction.change(
                """
                DELETE FROM record USING unnest($2::bytea[], $3::text[], $4::int8[]) AS erased (id, entity_type, revision)
                WHERE record.id = erased.id AND record.entity_type = erased.entity_type
                    AND record.user_id = $1::bytea AND record.revision = erased.revision
                RETURNING record.entity_type, record.id
                """,
                [
                    user, .ids(keys.map(\.id)), .texts(keys.map(\.entityType.rawValue)),
                    .numbers(records.map(\.record.revision)),
                ]
            ).map { RecordKey(EntityType(rawValue: $0.text(0)), $0.id(1)) }
            let erased = Set(gone)
            try forget(
                records.filter { erased.contains($0.record.key) }.flatMap { write in
                    write.former.map { ($0, write.record.key) }
                })
            try transaction.write(
                """
                DELETE FROM record_reference AS reference USING unnest($1::bytea[], $2::text[]) AS erased (id, entity_type)
                WHERE reference.parent_id = erased.id AND reference.parent_type = erased.entity_type
                """, [.ids(gone.map(\.id)), .texts(gone.map(\.entityType.rawValue))])
            return gone.count
        }

        func eraseHistory() throws {
            for table in ["run", "usage", "history"] {
                try transaction.write("DELETE FROM \(table) WHERE user_id = $1::bytea", [user])
            }
            known = .some(nil)
        }

        func deleteOutcomes(before moment: Timestamp, limit: Int) throws -> Int {
            try transaction.change(
                """
                DELETE FROM outcome WHERE user_id = $1::bytea AND key IN
                    (SELECT key FROM outcome WHERE user_id = $1::bytea AND kept_at < $2::int8 LIMIT $3::int8)
                """, [user, .number(moment.milliseconds), .number(Int64(limit))]
            ).written
        }
    }
#endif
