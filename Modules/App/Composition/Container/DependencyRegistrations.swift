/// What a graph is made of: for each type, what makes it, from what, and how long it is kept.
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
    private(set) var byType: [ObjectIdentifier: DependencyRegistration] = [:]

    /// Makes an empty graph.
    public init() {}

    /// Registers what makes a type; an earlier registration of the type is replaced.
    ///
    /// What the factory needs is named by type and handed to it. It is given no other way to the container, so
    /// that ``DependencyContainer/validate()`` knows the whole graph without making any of it.
    ///
    /// - Parameters:
    ///   - type: The type that will be asked for: a protocol where the implementation is to be replaced.
    ///   - lifetime: How long one is kept.
    ///   - needs: The types of what the factory is handed, in the order of its parameters.
    ///   - make: Makes one. It runs when the first one is needed, on the thread that asks, without any lock held.
    public mutating func register<Service: Sendable, each Need: Sendable>(
        _ type: Service.Type, as lifetime: Lifetime = .singleton, from needs: repeat (each Need).Type,
        make: @escaping @Sendable (repeat each Need) throws -> Service
    ) {
        var keys: [DependencyKey] = []
        for need in repeat each needs { keys.append(DependencyKey(type: need)) }
        byType[ObjectIdentifier(type)] = DependencyRegistration(
            key: DependencyKey(type: type), lifetime: lifetime, needs: keys,
            make: { resolution in Instance(try make(repeat try resolution.resolve((each Need).self))) })
    }
}
