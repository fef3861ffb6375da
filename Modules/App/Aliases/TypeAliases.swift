import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

/// Short names of types that a person has chosen on this device.
struct TypeAliases: Codable, Sendable, Hashable {
    /// Where the store keeps them.
    static let key = "app.aliases"

    /// The id of the type by its alias, in lower case.
    private var types: [String: String] = [:]

    static func load(_ reader: StoreReader) throws -> TypeAliases { try TypeAliases(text: reader.metadata(key)) }

    static func load(_ writes: LocalWrites) throws -> TypeAliases { try TypeAliases(text: writes.metadata(key)) }

    /// - Parameter text: As the store keeps them; nil where there are none.
    init(text: String?) throws {
        guard let text else { return }
        self = try WireCoding.decode(TypeAliases.self, from: .init(text.utf8))
    }

    func save(in writes: LocalWrites) throws {
        try writes.setMetadata(Self.key, String(decoding: try WireCoding.encode(self), as: UTF8.self))
    }

    /// The id of the type that a word stands for, however its parts are kept apart.
    func typeId(_ alias: String) -> String? {
        if let exact = types[alias.lowercased()] { return exact }
        let folded = Names.folded(alias)
        return types.first { Names.folded($0.key) == folded }?.value
    }

    /// The aliases of a type, in their order.
    func aliases(of typeId: String) -> [String] { types.filter { $0.value == typeId }.keys.sorted() }

    /// Every alias, in their order.
    var all: [String] { types.keys.sorted() }

    mutating func add(_ alias: String, for typeId: String) { types[alias.lowercased()] = typeId }

    mutating func remove(_ alias: String) {
        let folded = Names.folded(alias)
        types = types.filter { Names.folded($0.key) != folded }
    }

    init(from decoder: any Decoder) throws { types = try decoder.singleValueContainer().decode([String: String].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(types)
    }
}
