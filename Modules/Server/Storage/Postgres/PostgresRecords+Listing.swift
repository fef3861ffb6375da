#if Postgres
    import TrendyDomain

    extension PostgresRecords {
        func changes(after revision: Int64, upTo last: Int64, limit: Int, byteLimit: Int) throws -> [StoredRecord] {
            let rows = try transaction.query(
                Self.limited(
                    """
                    SELECT \(Self.columns), sort_order, revision AS place FROM record
                    WHERE user_id = $1::bytea AND revision > $2::int8 AND revision <= $3::int8
                    ORDER BY revision LIMIT $4::int8
                    """, to: "$5"),
                [user, .number(revision), .number(last), .number(Int64(limit)), .number(Int64(byteLimit))])
            return rows.map(Self.record)
        }

        func page(
            of entityType: EntityType, _ query: RecordQuery, byteLimit: Int
        ) throws -> [(record: StoredRecord, order: Int64)] {
            var parameters = [
                user, .text(entityType.rawValue), .number(query.limit.map(Int64.init)), .number(Int64(query.offset)),
                .number(Int64(byteLimit)),
            ]
            func place(of value: PostgresValue) -> String {
                parameters.append(value)
                return "$\(parameters.count)"
            }
            var conditions = ["record.user_id = $1::bytea", "record.entity_type = $2::text", "document IS NOT NULL"]
            var tables = "record"
            if let reference = query.parent {
                tables = """
                    record_reference AS reference
                    JOIN record ON record.id = reference.child_id AND record.entity_type = reference.child_type
                    """
                conditions += [
                    "reference.parent_id = \(place(of: .id(reference.parent.id)))::bytea",
                    "reference.parent_type = \(place(of: .text(reference.parent.entityType.rawValue)))::text",
                    "reference.field = \(place(of: .text(reference.field)))::text",
                ]
            }
            if let isActive = query.isActive { conditions.append("is_active = \(isActive ? 1 : 0)") }
            if let after = query.after {
                let (order, id) = (place(of: .number(after.order)), place(of: .id(after.id)))
                conditions.append(
                    "(sort_order, record.id) \(query.isDescending ? "<" : ">") (\(order)::int8, \(id)::bytea)")
            }
            let direction = query.isDescending ? "DESC" : "ASC"
            let order = "sort_order \(direction), record.id \(direction)"
            // A LIMIT of NULL is none.
            let rows = try transaction.query(
                Self.limited(
                    """
                    SELECT \(Self.columns), sort_order, row_number() OVER (ORDER BY \(order)) AS place FROM \(tables)
                    WHERE \(conditions.joined(separator: " AND "))
                    ORDER BY \(order) LIMIT $3::int8 OFFSET $4::int8
                    """, to: "$5"), parameters)
            return rows.map { (Self.record($0), $0.number(7)) }
        }

        func children(
            _ entityType: EntityType, of reference: RecordIndex.Reference, limit: Int, byteLimit: Int
        ) throws -> [StoredRecord] {
            let rows = try transaction.query(
                Self.limited(
                    """
                    SELECT \(Self.columns), sort_order, row_number() OVER (ORDER BY record.id) AS place
                    \(Self.children) ORDER BY record.id LIMIT $6::int8
                    """, to: "$7"),
                parameters(entityType, reference) + [.number(Int64(limit)), .number(Int64(byteLimit))])
            return rows.map(Self.record)
        }

        func hasChild(
            _ entityType: EntityType, of reference: RecordIndex.Reference, after revision: Int64
        ) throws -> Bool {
            let rows = try transaction.query(
                "SELECT 1 \(Self.children) AND record.revision > $6::int8 LIMIT 1",
                parameters(entityType, reference) + [.number(revision)])
            return rows.count > 0
        }

        private static let children = """
            FROM record_reference AS reference
            JOIN record ON record.id = reference.child_id AND record.entity_type = reference.child_type
            WHERE record.user_id = $1::bytea AND reference.child_type = $2::text
                AND reference.parent_id = $3::bytea AND reference.parent_type = $4::text AND reference.field = $5::text
            """

        private func parameters(
            _ entityType: EntityType, _ reference: RecordIndex.Reference
        ) -> [PostgresValue] {
            [
                user, .text(entityType.rawValue), .id(reference.parent.id), .text(reference.parent.entityType.rawValue),
                .text(reference.field),
            ]
        }

        /// The rows of a listing up to that many bytes of documents, and one more: how long a document is, the database
        /// knows without reading it.
        private static func limited(_ listing: String, to bytes: String) -> String {
            """
            SELECT * FROM (
                SELECT *, sum(octet_length(document)) OVER (
                    ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
                FROM (\(listing)) AS listing
            ) AS listing
            WHERE coalesce(before, 0) < greatest(\(bytes)::int8, 1) ORDER BY place
            """
        }

        func usage() throws -> [EntityType: RecordUsage] {
            let rows = try transaction.query(
                "SELECT entity_type, records, bytes FROM usage WHERE user_id = $1::bytea AND records <> 0", [user])
            let usage = rows.map {
                (EntityType(rawValue: $0.text(0)), RecordUsage(records: $0.number(1), bytes: $0.number(2)))
            }
            return Dictionary(usage) { $1 }
        }
    }
#endif
