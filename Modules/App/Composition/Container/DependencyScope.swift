/// A part of a program's life with services of its own; ``DependencyContainer/makeScope()`` makes one.
///
/// What it keeps goes with it, unless something else holds it.
public final class DependencyScope: Sendable {
    private let registrations: [ObjectIdentifier: DependencyRegistration]
    private let singletons: InstanceCache
    private let scoped = InstanceCache()

    init(registrations: [ObjectIdentifier: DependencyRegistration], singletons: InstanceCache) {
        self.registrations = registrations
        self.singletons = singletons
    }

    /// The service of a type; one of the lifetime ``Lifetime/scoped`` is this scope's own, a singleton is the
    /// container's.
    ///
    /// - Throws: As ``DependencyContainer/resolve(_:)``.
    public func resolve<Service: Sendable>(_ type: Service.Type = Service.self) throws -> Service {
        try Resolution(registrations: registrations, singletons: singletons, scoped: scoped).resolve(type)
    }
}
