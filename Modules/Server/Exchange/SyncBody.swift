import Foundation
import TrendyDomain

/// The body of a sync request, read and checked before any transaction begins.
///
/// What is wrong with one mutation is an answer to that mutation. What is wrong with the request as a whole is thrown.
struct SyncBody: Sendable {
    /// What a mutation asks for, once it was found to be in order.
    enum Change: Sendable {
        case create(PreparedRecord)
        case update([String: JSONValue])
        case delete
    }

    struct Mutation: Sendable {
        var key: String
        var record: RecordKey
        var base: Int64
        var change: Result<Change, ServerProblem>
    }

    var epoch: String?
    var cursor: SyncCursor?
    var limit: Int
    var mutations: [Mutation]

    /// - Throws: ``ServerProblem`` where the body is no sync request, or has too many mutations.
    init(_ body: Data, catalog: RecordCatalog) throws {
        let outline = try JSONBody.outline(of: body)
        guard outline.kind == .object else { throw ServerProblem(.badRequest, "the body must be an object") }
        let list = outline.members.last { $0.name == "mutations" }
        let head = try JSONBody.decode(Head.self, from: Self.head(of: body, without: list))
        epoch = head.epoch
        if let text = head.cursor { cursor = try SyncCursor(text) }
        let asked = head.limit ?? SyncRequest.changeLimit / 2
        guard asked > 0 else { throw ServerProblem.field("limit", "must not be less than 1", code: "out_of_range") }
        limit = min(asked, SyncRequest.changeLimit)
        guard let list else {
            mutations = []
            return
        }
        guard list.kind == .array else { throw ServerProblem.field("mutations", "must be an array", code: "type") }
        let array = body.part(list.value)
        let items = try JSONBody.outline(of: array).elements
        guard items.count <= SyncRequest.mutationLimit else {
            throw ServerProblem(
                .tooLarge, "the request has \(items.count) mutations; at most \(SyncRequest.mutationLimit) are allowed")
        }
        mutations = try items.enumerated().map { index, range in
            try Self.mutation(array.part(range), at: index, catalog)
        }
    }

    private struct Head: Decodable {
        var epoch: String?
        var cursor: String?
        var limit: Int?
    }

    /// The body with an empty list in place of the mutations, which are read one by one.
    private static func head(of body: Data, without list: JSONOutline.Member?) -> Data {
        guard let list else { return body }
        var head = body
        let start = head.startIndex + list.value.lowerBound
        head.replaceSubrange(start..<start + list.value.count, with: Data("[]".utf8))
        return head
    }

    private struct Envelope: Decodable {
        var key: String
        var entityType: String
        var operation: String
        var entityId: String
        var base: Int64?

        enum CodingKeys: String, CodingKey {
            case key, operation, base
            case entityType = "entity_type"
            case entityId = "entity_id"
        }
    }

    private static func mutation(_ item: Data, at index: Int, _ catalog: RecordCatalog) throws -> Mutation {
        let subject = "mutation \(index)"
        let outline = try JSONBody.outline(of: item)
        guard outline.kind == .object else { throw ServerProblem(.badRequest, "\(subject) must be an object") }
        let data = outline.members.last { $0.name == "data" }
        let envelope = try JSONBody.decode(
            Envelope.self, from: data.map { item.replacing($0.value, with: "null") } ?? item, subject: subject)
        // What is no plain text, SQLite and Swift may compare differently.
        guard (1...KeyedRequest.longestKey).contains(envelope.key.utf8.count),
            envelope.key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ServerProblem.field(
                "mutations.\(index).key", "must have 1 to \(KeyedRequest.longestKey) visible ASCII characters")
        }
        guard let operation = MutationOperation(rawValue: envelope.operation) else {
            throw ServerProblem.field("mutations.\(index).operation", "must be create, update or delete")
        }
        let id = UUIDv7(envelope.entityId)?.description ?? envelope.entityId
        let record = RecordKey(EntityType(rawValue: envelope.entityType), id)
        let change = Result { try Self.change(operation, record, data.map { item.part($0.value) }, catalog) }
        return Mutation(
            key: envelope.key, record: record, base: envelope.base ?? 0,
            change: change.mapError { $0 as? ServerProblem ?? ServerProblem(.badRequest, "\(subject): \($0)") })
    }

    private static func change(
        _ operation: MutationOperation, _ record: RecordKey, _ data: Data?, _ catalog: RecordCatalog
    ) throws -> Change {
        let kind = try catalog.kind(record.entityType)
        if operation == .delete { return .delete }
        guard let data else { throw ServerProblem.field("data", "is required", code: "required") }
        try requireKnownFields(data, kind)
        switch operation {
        case .create:
            let prepared = try kind.codec.prepare(data, beneath: nil)
            guard prepared.id == record.id else { throw ServerProblem.field("id", "differs from entity_id") }
            return .create(prepared)
        default:
            return .update(try kind.codec.patch(data, id: record.id))
        }
    }

    /// A field that the kind does not have would be lost without a word.
    private static func requireKnownFields(_ data: Data, _ kind: RecordKind) throws {
        let known = Set(kind.type.fields)
        let unknown = try JSONBody.outline(of: data).members.filter { member in
            !known.contains(member.name) && !data.part(member.value).elementsEqual("null".utf8)
        }
        guard !unknown.isEmpty else { return }
        let errors = unknown.map {
            FieldError(field: $0.name, message: "is no field that this server keeps", code: "unknown_field")
        }
        throw ServerProblem(ValidationError(entityType: kind.entityType, fields: errors))
    }
}

extension Data {
    /// The bytes at those offsets.
    func part(_ range: Range<Int>) -> Data {
        Data(self[startIndex + range.lowerBound..<startIndex + range.upperBound])
    }

    fileprivate func replacing(_ range: Range<Int>, with text: String) -> Data {
        var result = self
        result.replaceSubrange(startIndex + range.lowerBound..<startIndex + range.upperBound, with: Data(text.utf8))
        return result
    }
}
