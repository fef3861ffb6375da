import Synchronization

/// What a graph is made of: for each type, what makes it, and from what.
///
/// It is a value: a test takes the registrations of the product, registers its own parts over some of them, and
/// makes a ``DependencyContainer`` from the result. The product's stay as they are.
///
/// ```swift
/// var registrations = DependencyRegistrations()
/// registrations.register((any WallClock).self) { SystemWallClock() }
/// registrations.register(
///     SyncEngine.self, from: (any NetworkClientProtocol).self, (any DataStoreFactory).self
/// ) { client, stores in SyncEngine(networkClient: client, dataStoreFactory: stores) }
/// ```
public struct DependencyRegistrations: Sendable {
    struct Registration: Sendable {
        let type: any Any.Type
        /// What its factory is handed, in this order.
        let needs: [any Any.Type]
        let make: @Sendable (DependencyContainer, _ path: [any Any.Type]) throws -> any Sendable & AnyObject
    }

    private(set) var byType: [ObjectIdentifier: Registration] = [:]
    /// The types in the order in which they were registered first.
    private(set) var types: [any Any.Type] = []

    /// Makes an empty graph.
    public init() {}

    /// Registers what makes a type; an earlier registration of the type is replaced.
    ///
    /// What the factory needs is named by type and handed to it. It is given no other way to the container, so
    /// that ``DependencyContainer/validate()`` knows the whole graph without making any of it.
    ///
    /// - Parameters:
    ///   - type: The type that will be asked for: a protocol where the implementation is to be replaced.
    ///   - needs: The types of what the factory is handed, in the order of its parameters.
    ///   - make: Makes the one that is kept. It runs when that is needed first, on the thread that asks, without any
    ///     lock held.
    public mutating func register<Service: Sendable, each Need: Sendable>(
        _ type: Service.Type, from needs: repeat (each Need).Type,
        make: @escaping @Sendable (repeat each Need) throws -> Service
    ) {
        var types: [any Any.Type] = []
        for need in repeat each needs { types.append(need) }
        let registration = Registration(type: type, needs: types) { container, path in
            Instance(try make(repeat try container.resolve((each Need).self, path)))
        }
        if byType.updateValue(registration, forKey: ObjectIdentifier(type)) == nil { self.types.append(type) }
    }
}

/// What a factory has made: a cast to a class is faster than one to a protocol.
private final class Instance<Service: Sendable>: Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}

/// Makes the parts of a program when they are first asked for, each once and from the parts that it needs.
///
/// Only the composition root has one: everything else is handed what it needs by its initializer, so that a part
/// which is missing does not compile there. Resolving is safe from any thread. No lock is held while a factory
/// runs: where two threads make a part at the same time, both get the one that was finished first, and the other is
/// let go. A factory whose error ends a resolution is asked again by the next one.
public final class DependencyContainer: Sendable {
    private let registrations: DependencyRegistrations
    private let made = Mutex<[ObjectIdentifier: any Sendable & AnyObject]>([:])

    /// Makes a container that has made nothing yet.
    public init(_ registrations: DependencyRegistrations) {
        self.registrations = registrations
    }

    /// The service of a type.
    ///
    /// - Throws: ``DependencyError`` where it, or anything that it needs, is not registered or needs itself; and
    ///   whatever a factory throws.
    public func resolve<Service: Sendable>(_ type: Service.Type = Service.self) throws -> Service {
        try resolve(type, [])
    }

    /// - Parameter path: What is being made, outermost first.
    fileprivate func resolve<Service: Sendable>(_ type: Service.Type, _ path: [any Any.Type]) throws -> Service {
        let id = ObjectIdentifier(type)
        if let kept = made.withLock({ $0[id] }) as? Instance<Service> { return kept.service }
        let inner = path + [type]
        guard let registration = registrations.byType[id] else { throw DependencyError.missing(path: names(inner)) }
        if let start = path.firstIndex(where: { $0 == type }) {
            throw DependencyError.cycle(path: names(inner[start...]))
        }
        let new = try registration.make(self, inner)
        let kept = made.withLock { made in
            let kept = made[id] ?? new
            made[id] = kept
            return kept
        }
        guard let instance = kept as? Instance<Service> else { throw DependencyError.missing(path: names(inner)) }
        return instance.service
    }

    /// Looks through the whole graph, making none of it.
    ///
    /// - Returns: Every type that something needs and nobody registered, and what needs itself, each with the path to
    ///   it; empty where every resolution will find its parts. Of cycles that share a part of their way, those that
    ///   remain are found when the first is mended.
    public func validate() -> [DependencyError] {
        var problems: [DependencyError] = []
        var visited: Set<ObjectIdentifier> = []
        func visit(_ type: any Any.Type, _ path: [any Any.Type]) {
            guard let registration = registrations.byType[ObjectIdentifier(type)] else {
                return problems.append(.missing(path: names(path + [type])))
            }
            if let start = path.firstIndex(where: { $0 == type }) {
                return problems.append(.cycle(path: names(path[start...] + [type])))
            }
            guard visited.insert(ObjectIdentifier(type)).inserted else { return }
            for need in registration.needs { visit(need, path + [type]) }
        }
        // From what nothing needs, so that a path begins with what is asked for; then what only cycles lead to.
        let needed = Set(registrations.byType.values.flatMap { $0.needs.map { ObjectIdentifier($0) } })
        for type in registrations.types where !needed.contains(ObjectIdentifier(type)) { visit(type, []) }
        for type in registrations.types { visit(type, []) }
        return problems
    }

    /// The types that can be asked for, by name.
    public var registeredTypes: [String] { names(registrations.types).sorted() }

    private func names(_ types: some Sequence<any Any.Type>) -> [String] { types.map { "\($0)" } }
}

/// What is wrong with a graph of dependencies, each with the path to it: the type that was asked for, then what it
/// needs, and so on.
public enum DependencyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The last type of the path is registered nowhere.
    case missing(path: [String])
    /// The last type of the path is also the one at which the circle begins.
    case cycle(path: [String])

    /// What is wrong, with the types on the way to it.
    public var description: String {
        switch self {
        case .missing(let path):
            let needed = path.count > 1 ? " and needed by \(path.dropLast().joined(separator: " → "))" : ""
            return "\(path.last ?? "a type") is not registered\(needed); register it where the program is composed"
        case .cycle(let path):
            return "\(path.joined(separator: " → ")): each needs the next, so that none can be made first"
        }
    }
}
