/// Reads the members of an object.
struct JSONObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let path: JSONPath

    var codingPath: [any CodingKey] { path.keys }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

    // What records hold most of is read without a decoder, which is made for what is nested, and to refuse what is
    // wrong.
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let text)? = members[key.stringValue] { return text }
        return try member(key).decode(type)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if case .boolean(let flag)? = members[key.stringValue] { return flag }
        return try member(key).decode(type)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        if case .number(let number)? = members[key.stringValue] { return number }
        return try member(key).decode(type)
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try member(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try member(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }

    // Written out so that a name is looked up once; the default ones do it three times.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        let value = members[key.stringValue]
        if case .string(let text)? = value { return text }
        return try present(value, key)?.decode(type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        let value = members[key.stringValue]
        if case .boolean(let flag)? = value { return flag }
        return try present(value, key)?.decode(type)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        let value = members[key.stringValue]
        if case .number(let number)? = value { return number }
        return try present(value, key)?.decode(type)
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(members[key.stringValue], key)?.decode(type)
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(members[key.stringValue], key)?.decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(members[key.stringValue], key)?.decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { inherited(JSONName.name("super")) }
    func superDecoder(forKey key: Key) -> any Decoder { inherited(key) }

    private func inherited(_ key: some CodingKey) -> JSONTreeDecoder {
        JSONTreeDecoder(members[key.stringValue] ?? .null, key: key, in: path)
    }

    private func member(_ key: Key) throws -> JSONTreeDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                .init(
                    codingPath: codingPath,
                    debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
        }
        return JSONTreeDecoder(value, key: key, in: path)
    }

    private func present(_ value: JSONValue?, _ key: Key) -> JSONTreeDecoder? {
        guard let value, value != .null else { return nil }
        return JSONTreeDecoder(value, key: key, in: path)
    }
}

/// Reads the elements of an array. An element that cannot be decoded stays the next.
struct JSONArrayReader: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let path: JSONPath
    private(set) var currentIndex = 0

    init(elements: [JSONValue], path: JSONPath) {
        self.elements = elements
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next(Never?.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A value of these types decodes itself by the method that has its name.
        try read(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try read(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try read((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try read((any Decoder).self) { $0 }
    }

    private mutating func read<Value>(
        _ type: Value.Type, _ work: (JSONTreeDecoder) throws -> Value
    ) throws -> Value {
        let value = try work(next(type))
        currentIndex += 1
        return value
    }

    private func next(_ type: any Any.Type) throws -> JSONTreeDecoder {
        let place = JSONName.index(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: path.keys + [place], debugDescription: "Unkeyed container is at end."))
        }
        return JSONTreeDecoder(elements[currentIndex], key: place, in: path)
    }
}
