/// What makes one type.
struct DependencyRegistration: Sendable {
    let key: DependencyKey
    let lifetime: Lifetime
    /// What its factory is handed, in this order.
    let needs: [DependencyKey]
    let make: @Sendable (Resolution) throws -> any Sendable & AnyObject
}

/// A type by which something is registered: two with the same name are two all the same.
struct DependencyKey: Hashable, Sendable, CustomStringConvertible {
    let type: Any.Type

    var id: ObjectIdentifier { ObjectIdentifier(type) }
    /// As it is told to people; to work it out takes longer than to resolve it.
    var description: String { "\(type)" }

    static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a factory has made.
final class Instance<Service: Sendable>: Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}
