/// Collects the members of an object.
struct JSONObjectBuilder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let members: EncodedJSON.Members
    let path: JSONPath

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) { set(.value(.null), key) }
    func encode(_ value: String, forKey key: Key) { set(.value(.string(value)), key) }
    func encode(_ value: Bool, forKey key: Key) { set(.value(.boolean(value)), key) }
    func encode(_ value: Int, forKey key: Key) { set(.value(.integer(Int64(value))), key) }
    func encode(_ value: Int64, forKey key: Key) { set(.value(.integer(value)), key) }

    func encode(_ value: Double, forKey key: Key) throws {
        set(try EncodedJSON.number(value, key: key, in: path), key)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        set(try EncodedJSON.part(value, key: key, in: path), key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        opened(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { opened(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { opened(JSONName.name("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { opened(key) }

    private func opened(_ key: some CodingKey) -> JSONTreeEncoder {
        let encoder = JSONTreeEncoder(key: key, in: path)
        set(.open(encoder), key)
        return encoder
    }

    private func set(_ value: EncodedJSON, _ key: some CodingKey) { members.list.append((key.stringValue, value)) }
}

/// Collects the elements of an array.
struct JSONArrayBuilder: UnkeyedEncodingContainer {
    let elements: EncodedJSON.Elements
    let path: JSONPath

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { elements.list.count }

    func encodeNil() { elements.list.append(.value(.null)) }

    func encode<Value: Encodable>(_ value: Value) throws {
        elements.list.append(try EncodedJSON.part(value, key: JSONName.index(count), in: path))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        opened().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { opened().unkeyedContainer() }
    func superEncoder() -> any Encoder { opened() }

    private func opened() -> JSONTreeEncoder {
        let encoder = JSONTreeEncoder(key: JSONName.index(count), in: path)
        elements.list.append(.open(encoder))
        return encoder
    }
}

/// Takes the one value of an encoder.
struct JSONSingleBuilder: SingleValueEncodingContainer {
    let encoder: JSONTreeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { set(.null) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: Double) throws { encoder.content = try EncodedJSON.number(value, key: nil, in: encoder.path) }
    func encode(_ value: Float) throws { encoder.content = try EncodedJSON.number(value, key: nil, in: encoder.path) }
    // Written out, because the generic method would have them call this one for ever.
    func encode(_ value: Int) { set(value) }
    func encode(_ value: Int8) { set(value) }
    func encode(_ value: Int16) { set(value) }
    func encode(_ value: Int32) { set(value) }
    func encode(_ value: Int64) { set(value) }
    func encode(_ value: UInt) { set(value) }
    func encode(_ value: UInt8) { set(value) }
    func encode(_ value: UInt16) { set(value) }
    func encode(_ value: UInt32) { set(value) }
    func encode(_ value: UInt64) { set(value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.content = try EncodedJSON.of(value, key: nil, in: encoder.path)
    }

    private func set(_ value: JSONValue) { encoder.content = .value(value) }

    private func set(_ number: some FixedWidthInteger) {
        encoder.content = Int64(exactly: number).map { .value(.integer($0)) } ?? .literal(String(number))
    }
}
