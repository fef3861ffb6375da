import Synchronization

/// The registrations of a dependency graph: for each type, its factory and its dependencies.
///
/// It is a value: a test copies the registrations of the product, replaces some of them, and creates a
/// ``DependencyContainer`` from the copy.
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
        /// The types of the factory's parameters.
        let needs: [any Any.Type]
        let make: @Sendable (DependencyContainer, _ path: [any Any.Type]) throws -> any Sendable & AnyObject
    }

    private(set) var byType: [ObjectIdentifier: Registration] = [:]
    /// The types in the order of their first registration.
    private(set) var types: [any Any.Type] = []

    /// Creates an empty graph.
    public init() {}

    /// Registers the factory of a type, in place of an earlier one.
    ///
    /// The dependencies of the factory are named by type and passed to it. It has no access to the container, so that
    /// ``DependencyContainer/validate()`` knows the whole graph without creating parts.
    ///
    /// - Parameters:
    ///   - type: The type to resolve; a protocol if the implementation can be replaced.
    ///   - needs: The types of the factory's parameters, in their order.
    ///   - make: The factory. It runs on the first use, on the thread of that use, without a lock.
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

/// A created part; a cast to this class is faster than one to a protocol.
private final class Instance<Service: Sendable>: Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}

/// Creates the parts of a program on first use, each once.
///
/// Only the composition root has a container. Everything else gets its dependencies by its initializer, where a missing
/// one does not compile. Resolving is safe from any thread. No lock is held while a factory runs: if two threads create
/// a part at the same time, both get the one that was finished first. After an error of a factory, the next resolution
/// calls it again.
public final class DependencyContainer: Sendable {
    private let registrations: DependencyRegistrations
    private let made = Mutex<[ObjectIdentifier: any Sendable & AnyObject]>([:])

    /// Creates a container without parts.
    public init(_ registrations: DependencyRegistrations) {
        self.registrations = registrations
    }

    /// The part of a type.
    ///
    /// - Throws: ``DependencyError`` if the part or a dependency is not registered or depends on itself; errors of
    ///   factories.
    public func resolve<Service: Sendable>(_ type: Service.Type = Service.self) throws -> Service {
        try resolve(type, [])
    }

    /// - Parameter path: The types that are being created, outermost first.
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

    /// Checks the whole graph without creating parts.
    ///
    /// - Returns: The missing types and the cycles, each with the path to it; empty if the graph is complete. Of cycles
    ///   that share a part of their path, only the first one is reported.
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
        // Starts at types that nothing depends on, so that paths begin there; then visits those in cycles.
        let needed = Set(registrations.byType.values.flatMap { $0.needs.map { ObjectIdentifier($0) } })
        for type in registrations.types where !needed.contains(ObjectIdentifier(type)) { visit(type, []) }
        for type in registrations.types { visit(type, []) }
        return problems
    }

    /// The names of the registered types, sorted.
    public var registeredTypes: [String] { names(registrations.types).sorted() }

    private func names(_ types: some Sequence<any Any.Type>) -> [String] { types.map { "\($0)" } }
}

/// A fault of a dependency graph, with the path of types that leads to it.
public enum DependencyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The last type of the path is not registered.
    case missing(path: [String])
    /// The last type of the path closes a cycle.
    case cycle(path: [String])

    /// The fault, with the path.
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
