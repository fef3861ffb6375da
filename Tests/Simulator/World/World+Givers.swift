import TrendyDomain

extension World {
    /// Whether people of a device gave a value to a field of a record, or of any, and people of no other device gave it
    /// to the field of any record: then it is no other side, however it came back to the device.
    func isOnlyOwn(
        _ value: JSONValue, _ field: String, of type: EntityType, _ id: String? = nil, on device: Int
    ) -> Bool {
        let givers = acts.filter { $0.entityType == type && $0.gave(value, to: field) }
        return givers.contains { $0.device == device && (id == nil || $0.entityId == id) }
            && givers.allSatisfy { $0.device == device }
    }
}

extension Act {
    /// Whether it left a field with a value. A creation leaves out what is empty.
    fileprivate func gave(_ value: JSONValue, to field: String) -> Bool {
        switch change {
        case .create(let fields): (fields[field] ?? .null) == value
        case .update(let changes): changes[field] == value
        case .delete: false
        }
    }
}
