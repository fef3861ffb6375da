#if Postgres
    import Foundation
    import TrendyDomain

    extension PostgresRecords {
        func save(_ writes: [RecordWrite]) throws {
            if writes.isEmpty { return }
            let records = writes.map(\.record)
            let indexes = writes.map(\.index)
            try transaction.write(
                """
                INSERT INTO record (id, entity_type, user_id, revision, created_revision, created_at, updated_at,
                    sort_order, is_active, natural_key, upsert_key, document)
                SELECT id, entity_type, $1::bytea, revision, created_revision, created_at, updated_at, sort_order,
                    is_active, natural_key, upsert_key, document
                FROM unnest($2::bytea[], $3::text[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                    $9::int8[], $10::bytea[], $11::bytea[], $12::bytea[])
                    AS written (id, entity_type, revision, created_revision, created_at, updated_at, sort_order,
                        is_active, natural_key, upsert_key, document)
                ON CONFLICT (id, entity_type) DO UPDATE SET revision = excluded.revision,
                    created_revision = excluded.created_revision, created_at = excluded.created_at,
                    updated_at = excluded.updated_at, sort_order = excluded.sort_order,
                    is_active = excluded.is_active, natural_key = excluded.natural_key,
                    upsert_key = excluded.upsert_key, document = excluded.document
                WHERE record.user_id = excluded.user_id
                """,
                [
                    user, .ids(records.map(\.key.id)), .texts(records.map(\.key.entityType.rawValue)),
                    .numbers(records.map(\.revision)), .numbers(records.map(\.createdRevision)),
                    .numbers(records.map(\.createdAt.milliseconds)), .numbers(records.map(\.updatedAt.milliseconds)),
                    .numbers(indexes.map(\.order)), .numbers(indexes.map { $0.isActive ? 1 : 0 }),
                    .manyBytes(indexes.map { $0.naturalKey.map(PostgresKey.key) }),
                    .manyBytes(indexes.map { $0.upsertKey.map(PostgresKey.key) }),
                    .documents(records.map(\.document)),
                ], rows: writes.count)
            let changed = writes.filter { $0.former != $0.index.references }
            try forget(changed.flatMap { write in write.former.map { ($0, write.record.key) } })
            try change(
                """
                INSERT INTO record_reference (parent_id, parent_type, field, child_id, child_type)
                SELECT parent_id, parent_type, field, child_id, child_type FROM \(Self.listedReferences)
                ON CONFLICT DO NOTHING
                """, changed.flatMap { write in write.index.references.map { ($0, write.record.key) } })
        }

        /// Removes references.
        func forget(_ references: [(reference: RecordIndex.Reference, child: RecordKey)]) throws {
            try change(
                """
                DELETE FROM record_reference AS reference USING \(Self.listedReferences)
                WHERE reference.parent_id = listed.parent_id AND reference.parent_type = listed.parent_type
                    AND reference.field = listed.field AND reference.child_id = listed.child_id
                    AND reference.child_type = listed.child_type
                """, references)
        }

        private static let listedReferences = """
            unnest($1::bytea[], $2::text[], $3::text[], $4::bytea[], $5::text[])
                AS listed (parent_id, parent_type, field, child_id, child_type)
            """

        private func change(
            _ sql: String, _ references: [(reference: RecordIndex.Reference, child: RecordKey)]
        ) throws {
            if references.isEmpty { return }
            try transaction.write(
                sql,
                [
                    .ids(references.map(\.reference.parent.id)),
                    .texts(references.map(\.reference.parent.entityType.rawValue)),
                    .texts(references.map(\.reference.field)), .ids(references.map(\.child.id)),
                    .texts(references.map(\.child.entityType.rawValue)),
                ])
        }

        func add(_ growth: [EntityType: RecordUsage]) throws {
            if growth.isEmpty { return }
            let growth = Array(growth)
            try transaction.write(
                """
                INSERT INTO usage (user_id, entity_type, records, bytes)
                SELECT $1::bytea, entity_type, records, bytes
                FROM unnest($2::text[], $3::int8[], $4::int8[]) AS added (entity_type, records, bytes)
                ON CONFLICT (user_id, entity_type) DO UPDATE
                    SET records = usage.records + excluded.records, bytes = usage.bytes + excluded.bytes
                """,
                [
                    user, .texts(growth.map(\.key.rawValue)), .numbers(growth.map(\.value.records)),
                    .numbers(growth.map(\.value.bytes)),
                ])
        }

        func outcomes(_ keys: Set<String>) throws -> [String: KeptOutcome] {
            if keys.isEmpty { return [:] }
            let keys = Array(keys)
            // The limit makes a lookup for each key of it. Without one, a planner that believes that the account has few
            // outcomes compares each key with each of them.
            let rows = try transaction.query(
                """
                SELECT wanted.place, digest, outcome, revision, kept_at, errors
                FROM unnest($2::bytea[], $3::int8[]) AS wanted (key, place)
                CROSS JOIN LATERAL (
                    SELECT * FROM outcome WHERE user_id = $1::bytea AND outcome.key = wanted.key LIMIT 1
                ) AS kept
                """, [user, .manyBytes(keys.map(PostgresKey.key)), .numbers(keys.indices.map(Int64.init))])
            let found = rows.map { row in
                let key = keys[Int(row.number(0))]
                let outcome = KeptOutcome(
                    key: key, digest: row.number(1), outcome: WriteReply.Outcome(rawValue: row.text(2)),
                    revision: row.number(3), at: row.time(4), errors: row.data(5))
                return (key, outcome)
            }
            return Dictionary(found) { $1 }
        }

        func save(_ outcomes: [KeptOutcome]) throws {
            if outcomes.isEmpty { return }
            // One statement must not write a row twice.
            let outcomes = Array(Dictionary(outcomes.map { ($0.key, $0) }) { $1 }.values)
            try transaction.write(
                """
                INSERT INTO outcome (user_id, key, digest, outcome, revision, kept_at, errors)
                SELECT $1::bytea, key, digest, nullif(outcome, ''), revision, kept_at, errors
                FROM unnest($2::bytea[], $3::int8[], $4::text[], $5::int8[], $6::int8[], $7::bytea[])
                    AS kept (key, digest, outcome, revision, kept_at, errors)
                ON CONFLICT (user_id, key) DO UPDATE SET digest = excluded.digest, outcome = excluded.outcome,
                    revision = excluded.revision, kept_at = excluded.kept_at, errors = excluded.errors
                """,
                [
                    user, .manyBytes(outcomes.map { PostgresKey.key($0.key) }), .numbers(outcomes.map(\.digest)),
                    .texts(outcomes.map { $0.outcome?.rawValue ?? "" }), .numbers(outcomes.map(\.revision)),
                    .numbers(outcomes.map(\.at.milliseconds)), .documents(outcomes.map(\.errors)),
                ])
        }

        func deleteOutcomes(before moment: Timestamp) throws {
            try transaction.write(
                "DELETE FROM outcome WHERE user_id = $1::bytea AND kept_at < $2::int8",
                [user, .number(moment.milliseconds)])
        }
    }
#endif
