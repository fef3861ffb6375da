public import Foundation
import TrendyDomain

extension RecordService {
    /// The JSON of a page of a user's change feed.
    ///
    /// The ids are one sequence for the whole server, so a user's own have gaps; they ascend in the order
    /// of commits, so nothing ever appears behind a cursor that was given out.
    public func changes(userId: String, since cursor: Int64, limit: Int) throws -> Data {
        let found = try store.read { try $0.changes(userId: userId, since: cursor, limit: limit + 1) }
        let page = found.prefix(limit)
        var result = Data(capacity: page.reduce(100) { $0 + ($1.document?.count ?? 0) + 240 })
        result.append(contentsOf: "{\"changes\":[".utf8)
        for (index, change) in page.enumerated() {
            if index > 0 { result.append(UInt8(ascii: ",")) }
            change.appendJSON(to: &result)
        }
        let next = page.last?.id ?? cursor
        result.append(contentsOf: "],\"has_more\":\(found.count > limit),\"next_cursor\":\(next)}".utf8)
        return result
    }

    /// The id of the user's latest change; 0 where there is none.
    public func latestCursor(userId: String) throws -> Int64 {
        try store.read { try $0.latestCursor(userId: userId) }
    }
}

extension LoggedChange {
    fileprivate func appendJSON(to result: inout Data) {
        result.append(contentsOf: "{\"created_at\":\"\(at)\"".utf8)
        if let document {
            result.append(contentsOf: ",\"data\":".utf8)
            result.append(document)
        } else {
            result.append(contentsOf: ",\"deleted_at\":\"\(at)\"".utf8)
        }
        result.append(contentsOf: ",\"entity_id\":\(JSONText.quoted(key.id))".utf8)
        result.append(contentsOf: ",\"entity_type\":\(JSONText.quoted(key.entityType.rawValue))".utf8)
        result.append(contentsOf: ",\"id\":\(id),\"operation\":\(JSONText.quoted(operation.rawValue))}".utf8)
    }
}
