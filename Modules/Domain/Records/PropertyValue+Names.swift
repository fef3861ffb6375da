// The properties of an event by name. Devices that were apart can spell a key differently, and one definition stays.

extension [String: PropertyValue] {
    /// The value of the property of that name: under the key that is spelt so, or else under the first one that is the
    /// same by its ``NameKey``.
    public subscript(property name: String) -> PropertyValue? {
        spellings(of: name).first.flatMap { self[$0] }
    }

    /// The keys here that name a property of an event.
    ///
    /// - Parameters:
    ///   - name: The name of the property, in any spelling.
    ///   - definitions: Those of the event's type. A key that another one of them has belongs to that one.
    /// - Returns: The key whose value counts, and the others.
    public func spellings(of name: String, among definitions: [PropertyDefinition] = []) -> [String] {
        if isEmpty { return [] }
        let own = definitions.named(name)?.key ?? name
        let wanted = NameKey(own)
        let found = keys.filter { key in
            NameKey(key) == wanted && (key == own || !definitions.contains { $0.key == key })
        }
        // SQL has to find the same one, and compares bytes.
        return found.sorted { one, other in
            if one.utf8.elementsEqual(own.utf8) || other.utf8.elementsEqual(own.utf8) {
                return one.utf8.elementsEqual(own.utf8)
            }
            return one.utf8.lexicographicallyPrecedes(other.utf8)
        }
    }

    /// Sets a property, or removes it where the value is nil: under the key that the event has already, whatever its
    /// spelling. No second spelling of it stays.
    ///
    /// - Parameters:
    ///   - value: The value; nil for none.
    ///   - name: The name of the property, in any spelling.
    ///   - definitions: Those of the event's type, as for ``spellings(of:among:)``.
    public mutating func set(_ value: PropertyValue?, of name: String, among definitions: [PropertyDefinition]) {
        let found = spellings(of: name, among: definitions)
        for key in found.dropFirst() { self[key] = nil }
        self[found.first ?? definitions.named(name)?.key ?? name] = value
    }
}

extension [PropertyDefinition] {
    /// The definition that a key means: the one that is spelt so, or else the only one that is the same by its
    /// ``NameKey``; nil where there is none, or several.
    public func named(_ key: String) -> PropertyDefinition? {
        if let exact = first(where: { $0.key == key }) { return exact }
        let wanted = NameKey(key)
        let same = filter { NameKey($0.key) == wanted }
        return same.count == 1 ? same[0] : nil
    }
}
