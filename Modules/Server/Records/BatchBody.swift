import Foundation
import TrendyDomain

/// The body of a batch: one member that holds the records. A record that cannot be read does not cost the others.
struct BatchBody<Entity: SyncEntity>: DecodableWithConfiguration {
    let items: [Result<Entity, ServerProblem>]

    init(from decoder: any Decoder, configuration member: String) throws {
        let container = try decoder.container(keyedBy: MemberKey.self)
        var elements = try container.nestedUnkeyedContainer(forKey: MemberKey(stringValue: member))
        var items: [Result<Entity, ServerProblem>] = []
        if let count = elements.count { items.reserveCapacity(count) }
        while !elements.isAtEnd {
            items.append(try elements.decode(BatchItem<Entity>.self).result)
        }
        self.items = items
    }
}

private struct BatchItem<Entity: SyncEntity>: Decodable {
    let result: Result<Entity, ServerProblem>

    init(from decoder: any Decoder) throws {
        do {
            result = .success(try Entity(from: decoder))
        } catch let error as DecodingError {
            result = .failure(ServerProblem(error, below: decoder.codingPath.count))
        }
    }
}

private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
