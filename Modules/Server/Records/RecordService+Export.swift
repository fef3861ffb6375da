import Foundation
import TrendyDomain

extension RecordService {
    /// How many records, and bytes of them, an export reads at once.
    private static let exportLimit = 1_000
    private static let exportBytes = 4 << 20

    /// Writes a user's records as they are at one moment, as a JSON object with an array for each kind.
    ///
    /// - Returns: How many records there were of each kind.
    func export(
        userId: String, _ members: [(name: String, entityType: EntityType)], to write: (Data) throws -> Void
    ) throws -> [EntityType: Int] {
        var hasBegun = false
        return try store.read(userId) { transaction in
            // A store may run this again from its beginning, and what was written cannot be taken back.
            if hasBegun {
                throw ServerProblem(.unavailable, "the connection to the database was lost meanwhile; export again")
            }
            hasBegun = true
            let wire = WireDocument(userId: userId)
            var counts: [EntityType: Int] = [:]
            for (place, (name, type)) in members.enumerated() {
                try write(Data("\(place == 0 ? "{" : ",\n")\(JSONText.quoted(name)):[".utf8))
                var (count, after): (Int, RecordPosition?) = (0, nil)
                while true {
                    let query = RecordQuery(limit: Self.exportLimit, after: after)
                    let page = try transaction.page(of: type, query, byteLimit: Self.exportBytes)
                    guard let last = page.last else { break }
                    var json = Data()
                    for (record, _) in page {
                        json.append(count == 0 ? "\n" : ",\n")
                        wire.append(record, to: &json)
                        count += 1
                    }
                    try write(json)
                    after = RecordPosition(order: last.order, id: last.record.key.id)
                }
                try write(Data((count == 0 ? "]" : "\n]").utf8))
                counts[type] = count
            }
            try write(Data("}\n".utf8))
            return counts
        }
    }
}
