import Foundation

/// Encodes any value into a ``JSONNode``, as Foundation's JSON encoder would.
struct JSONNodeEncoder: Encoder {
    let node: JSONNode

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The value as a node. Three of Foundation's types encode themselves otherwise than JSON coders expect them.
    static func node<Value: Encodable>(of value: Value) throws -> JSONNode {
        let node = JSONNode()
        // Compared as types first: casts that fail take longer than all the rest.
        if Value.self == Data.self, let data = value as? Data {
            node.content = .string(data.base64EncodedString())
        } else if Value.self == URL.self, let url = value as? URL {
            node.content = .string(url.absoluteString)
        } else if Value.self == Decimal.self, let decimal = value as? Decimal {
            node.content = .number((decimal as NSDecimalNumber).doubleValue)
        } else {
            try value.encode(to: JSONNodeEncoder(node: node))
        }
        return node
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = node.content { node.content = .object([]) }
        return KeyedEncodingContainer(JSONObjectContainer<Key>(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .nothing = node.content { node.content = .array([]) }
        return JSONArrayContainer(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONValueContainer(node: node) }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) { node.set(JSONNode(.null), for: key.stringValue) }

    mutating func encode(_ value: String, forKey key: Key) { node.set(JSONNode(.string(value)), for: key.stringValue) }
    mutating func encode(_ value: Bool, forKey key: Key) { node.set(JSONNode(.boolean(value)), for: key.stringValue) }
    mutating func encode(_ value: Double, forKey key: Key) { node.set(JSONNode(.number(value)), for: key.stringValue) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        node.set(try JSONNodeEncoder.node(of: value), for: key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        added(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        added(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { added("super") }
    mutating func superEncoder(forKey key: Key) -> any Encoder { added(key) }

    private func added(_ key: Key) -> JSONNodeEncoder { added(key.stringValue) }

    private func added(_ name: String) -> JSONNodeEncoder {
        let child = JSONNode()
        node.set(child, for: name)
        return JSONNodeEncoder(node: child)
    }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
    let node: JSONNode

    var codingPath: [any CodingKey] { [] }
    private(set) var count = 0

    init(node: JSONNode) {
        self.node = node
    }

    mutating func encodeNil() { add(JSONNode(.null)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws { add(try JSONNodeEncoder.node(of: value)) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        added().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { added().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { added() }

    private mutating func add(_ child: JSONNode) {
        node.append(child)
        count += 1
    }

    private mutating func added() -> JSONNodeEncoder {
        let child = JSONNode()
        add(child)
        return JSONNodeEncoder(node: child)
    }
}

private struct JSONValueContainer: SingleValueEncodingContainer {
    let node: JSONNode

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { node.content = .null }
    mutating func encode(_ value: String) { node.content = .string(value) }
    mutating func encode(_ value: Bool) { node.content = .boolean(value) }
    mutating func encode(_ value: Double) { node.content = .number(value) }
    mutating func encode(_ value: Float) { node.content = .number(Double(value)) }
    mutating func encode(_ value: Int) { node.content = .integer(Int64(value)) }
    mutating func encode(_ value: Int8) { node.content = .integer(Int64(value)) }
    mutating func encode(_ value: Int16) { node.content = .integer(Int64(value)) }
    mutating func encode(_ value: Int32) { node.content = .integer(Int64(value)) }
    mutating func encode(_ value: Int64) { node.content = .integer(value) }
    mutating func encode(_ value: UInt) { node.content = .unsigned(UInt64(value)) }
    mutating func encode(_ value: UInt8) { node.content = .unsigned(UInt64(value)) }
    mutating func encode(_ value: UInt16) { node.content = .unsigned(UInt64(value)) }
    mutating func encode(_ value: UInt32) { node.content = .unsigned(UInt64(value)) }
    mutating func encode(_ value: UInt64) { node.content = .unsigned(value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        node.content = try JSONNodeEncoder.node(of: value).content
    }
}
