package import Foundation

/// One JSON value: as a tree, or as a part of the bytes in which it came, which are read where they are needed.
///
/// Most records of an answer, and most payloads of a request, only pass through. A tree of them would cost more than
/// all the rest.
package struct KeptJSON: Sendable {
    private enum Content: Sendable {
        case tree(JSONValue)
        /// JSON that can be read.
        case part(of: JSONBytes, Range<Int>)
    }

    private let content: Content

    package init(_ value: JSONValue) { content = .tree(value) }

    /// Takes JSON that ``JSONReader`` has passed.
    init(_ range: Range<Int>, of bytes: JSONBytes) { content = .part(of: bytes, range) }

    /// Takes JSON that is read later.
    ///
    /// - Throws: `DecodingError` where it cannot be read.
    package init(_ json: Data) throws {
        let bytes = JSONBytes(json)
        do {
            let range = try bytes.read { reader in
                reader.skipSpace()
                let start = reader.index
                try reader.skipValue()
                let range = start..<reader.index
                try reader.requireEnd()
                return range
            }
            content = .part(of: bytes, range)
        } catch {
            content = .tree(try WireCoding.decode(JSONValue.self, from: json))
        }
    }

    /// The value as a tree, made anew each time if it is kept as bytes.
    package var value: JSONValue {
        switch content {
        case .tree(let value): value
        case .part(let bytes, let range): bytes.tree(range)
        }
    }

    /// How many bytes its JSON has, or about so many if it is written anew.
    package var byteCount: Int {
        switch content {
        case .tree(let value): (try? WireCoding.encode(value).count) ?? 0
        case .part(_, let range): range.count
        }
    }

    /// Reads a record without a tree of it, with the members that are none of some fields and not null.
    ///
    /// - Returns: Nil where that takes a tree, or where the JSON is of another shape, which only a tree can tell.
    package func record<Entity: SyncEntity>(
        of type: Entity.Type, besides fields: FieldNames
    ) -> (remote: Remote<Entity>, others: [String: JSONValue])? {
        guard case .part(let bytes, let range) = content, case let index = JSONIndex(bytes),
            let members = try? index.members(at: range.lowerBound), let server = try? index.serverFields(members),
            let entity = try? Entity(from: JSONTextDecoder(index: index, start: range.lowerBound)), !index.isUnfit
        else { return nil }
        var others: [String: JSONValue] = [:]
        for member in index.list[members] where !fields.contain(bytes.content[member.name]) {
            let name = String(decoding: bytes.content[member.name], as: UTF8.self)
            if others[name] == nil { others[name] = bytes.tree(member.value..<bytes.content.count) }
        }
        return (Remote(entity, server: server), others.isEmpty ? others : others.filter { $1 != .null })
    }

    /// Whether JSON can hold each of its numbers.
    var isFinite: Bool { if case .tree(let value) = content { value.isFinite } else { true } }

    func write(to writer: inout JSONWriter) throws {
        switch content {
        case .tree(let value): try writer.write(value)
        case .part(let bytes, let range): writer.write(bytes.content[range])
        }
    }
}

extension KeptJSON: Hashable, Codable {
    package static func == (left: KeptJSON, right: KeptJSON) -> Bool { left.value == right.value }
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }

    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(JSONValue.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// The bytes of some JSON, shared by all that is read from them.
final class JSONBytes: Sendable {
    let content: [UInt8]

    init(_ json: Data) { content = [UInt8](json) }

    func read<Result>(_ body: (inout JSONReader) throws -> Result) rethrows -> Result {
        try content.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes: bytes)
            return try body(&reader)
        }
    }

    /// The tree of a value that was passed before.
    func tree(_ range: Range<Int>) -> JSONValue {
        read { reader in
            reader.index = range.lowerBound
            return (try? reader.value()) ?? .null
        }
    }
}

/// The names of fields, to be compared with those in JSON.
package struct FieldNames: Sendable {
    /// By their lengths, of which records have few.
    private var byLength: [[[UInt8]]] = []

    package init(_ names: some Sequence<String>) {
        for name in names.map({ [UInt8]($0.utf8) }) {
            while byLength.count <= name.count { byLength.append([]) }
            byLength[name.count].append(name)
        }
    }

    func contain(_ name: ArraySlice<UInt8>) -> Bool {
        name.count < byLength.count && byLength[name.count].contains { $0.elementsEqual(name) }
    }
}
