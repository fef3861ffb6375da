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
        /// What its key stands for: record, operation and data. The base is no part of it.
        var digest: Int64
        var change: Result<Change, ServerProblem>
    }

    private static let noZero = "has the character U+0000, which cannot be kept"

    var epoch: String?
    var cursor: SyncCursor?
    var limit: Int
    var mutations: [Mutation]

    /// - Throws: ``ServerProblem`` where the body is no sync request, or has too many mutations.
    init(_ body: Data, catalog: RecordCatalog) throws {
        let outline = try JSONBody.outline(of: body)
        guard outline.kind == .object else { throw ServerProblem(.badRequest, "the body must be an object") }
        (epoch, cursor, limit, mutations) = (nil, nil, SyncRequest.changeLimit / 2, [])
        try body.withUnsafeBytes { bytes in
            let json = JSONMembers(bytes: bytes)
            for member in outline.members {
                func wrong(_ message: String, code: String = "type") -> ServerProblem {
                    .field(member.name, message, code: code)
                }
                if ["epoch", "cursor", "limit"].contains(member.name), json.isNull(member.value) { continue }
                switch member.name {
                case "epoch":
                    guard let text = json.text(member.value) else { throw wrong("must be a string") }
                    guard !text.utf8.contains(0) else { throw wrong(Self.noZero, code: "invalid") }
                    epoch = text
                case "cursor":
                    guard let text = json.text(member.value) else { throw wrong("must be a string") }
                    guard !text.utf8.contains(0) else { throw wrong(Self.noZero, code: "invalid") }
                    cursor = try SyncCursor(text)
                case "limit":
                    guard let number = json.wholeNumber(member.value) else { throw wrong("must be a whole number") }
                    guard number > 0 else { throw wrong("must not be less than 1", code: "out_of_range") }
                    limit = Int(min(number, Int64(SyncRequest.changeLimit)))
                case "mutations":
                    guard member.kind == .array else { throw wrong("must be an array") }
                    let (count, most) = (member.elements.count, SyncRequest.mutationLimit)
                    guard count <= most else {
                        throw ServerProblem(
                            .tooLarge, "the request has \(count) mutations; at most \(most) are allowed")
                    }
                    mutations = try member.elements.enumerated().map { index, place in
                        guard bytes[place.lowerBound] == UInt8(ascii: "{") else {
                            throw ServerProblem(.badRequest, "mutation \(index) must be an object")
                        }
                        return try Self.mutation(json, place, body, index, catalog)
                    }
                default: break
                }
            }
        }
    }

    /// - Parameter place: That of the mutation's object in the JSON of the body.
    private static func mutation(
        _ json: JSONMembers, _ place: Range<Int>, _ body: Data, _ index: Int, _ catalog: RecordCatalog
    ) throws -> Mutation {
        var (key, type, name, id, base, data) = ("", "", "", "", Int64(0), Range<Int>?.none)
        try json.forEach(in: place) { member, value in
            func text() throws -> String {
                if let text = json.text(value), !text.isEmpty {
                    guard text.utf8.contains(0) else { return text }
                    throw ServerProblem.field("mutations.\(index).\(member)", noZero)
                }
                throw ServerProblem.field("mutations.\(index).\(member)", "must be a string", code: "type")
            }
            switch member {
            case "key": key = try text()
            case "entity_type": type = try text()
            case "operation": name = try text()
            case "entity_id": id = try text()
            case "base":
                guard let number = json.wholeNumber(value) else {
                    throw ServerProblem.field("mutations.\(index).base", "must be a whole number", code: "type")
                }
                base = number
            case "data": data = value
            default: break
            }
        }
        for (member, text) in [("key", key), ("entity_type", type), ("operation", name), ("entity_id", id)] {
            if text.isEmpty {
                throw ServerProblem.field("mutations.\(index).\(member)", "is required", code: "required")
            }
        }
        // What is no plain text, SQLite and Swift may compare differently.
        guard key.utf8.count <= KeyedWrite.longestKey, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ServerProblem.field(
                "mutations.\(index).key", "must have 1 to \(KeyedWrite.longestKey) visible ASCII characters")
        }
        guard let operation = MutationOperation(rawValue: name) else {
            throw ServerProblem.field("mutations.\(index).operation", "must be create, update or delete")
        }
        if UUIDText.parse(id) == nil, let plain = UUIDv7(id)?.description { id = plain }
        let record = RecordKey(EntityType(rawValue: type), id)
        let written = data.map { body.part($0) }
        let change = Result { try Self.change(operation, record, written, catalog) }
        return Mutation(
            key: key, record: record, base: base, digest: MutationDigest.of(operation, record, written),
            change: change.mapError {
                $0 as? ServerProblem ?? ServerProblem(.badRequest, "mutation \(index): \($0)")
            })
    }

    private static func change(
        _ operation: MutationOperation, _ record: RecordKey, _ data: Data?, _ catalog: RecordCatalog
    ) throws -> Change {
        let kind = try catalog.kind(record.entityType)
        if operation == .delete { return .delete }
        guard let data else { throw ServerProblem.field("data", "is required", code: "required") }
        if operation == .update {
            try requireKnownFields(data, kind)
            return .update(try kind.codec.patch(data, id: record.id, named: "entity_id"))
        }
        let plain = kind.codec.plain(data)
        if plain == nil { try requireKnownFields(data, kind) }
        let prepared = try plain ?? kind.codec.prepare(data, beneath: nil)
        guard prepared.id == record.id else { throw ServerProblem.field("id", "differs from entity_id") }
        return .create(prepared)
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
