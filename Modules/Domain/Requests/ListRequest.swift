/// Asks for a part of all records of a kind.
public struct ListRequest: Sendable, Hashable {
    /// At most this many.
    public var limit: Int
    /// How many to pass over.
    public var offset: Int
    /// For kinds that are listed beneath another: the id of that other record.
    public var parentId: String?
    /// For kinds that can be active or not: only the active ones.
    public var activeOnly: Bool

    /// Makes a request for a page, or for a whole list where the server has no pages.
    public init(limit: Int, offset: Int = 0, parentId: String? = nil, activeOnly: Bool = false) {
        self.limit = limit
        self.offset = offset
        self.parentId = parentId
        self.activeOnly = activeOnly
    }
}

/// A part of all records of a kind.
public struct ListPage<Entity: SyncEntity>: Sendable, Hashable {
    /// The records, in the server's order.
    public var records: [Remote<Entity>]
    /// Elements that are no usable record, kept raw, so that one of them does not spoil the page.
    public var undecodable: [JSONValue]

    /// Makes a page.
    public init(records: [Remote<Entity>], undecodable: [JSONValue] = []) {
        self.records = records
        self.undecodable = undecodable
    }

    /// How many elements the server sent.
    public var count: Int { records.count + undecodable.count }
}

extension ListPage: Decodable {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        records = []
        undecodable = []
        if let count = container.count { records.reserveCapacity(count) }
        while !container.isAtEnd {
            do {
                records.append(try container.decode(ReceivedRecord<Entity>.self).record)
            } catch {
                // Of a number that does not fit, Foundation throws an error of its own.
                undecodable.append(try container.decode(JSONValue.self))
            }
        }
    }
}

/// A record that can be used; anything else does not decode.
private struct ReceivedRecord<Entity: SyncEntity>: Decodable {
    let record: Remote<Entity>

    init(from decoder: any Decoder) throws {
        record = try Remote(from: decoder)
        do {
            try record.entity.validateReceived()
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }
}
