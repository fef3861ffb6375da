/// Makes the parts of a program when they are first asked for, each from the parts that it needs.
///
/// Only the composition root has one: everything else is handed what it needs by its initializer, so that a part
/// which is missing does not compile there. Resolving is safe from any thread. No lock is held while a factory
/// runs: where two threads make a singleton at the same time, both get the one that was finished first, and the
/// other is let go. A factory whose error ends a resolution is asked again by the next one.
public final class DependencyContainer: Sendable {
    private let registrations: [ObjectIdentifier: DependencyRegistration]
    private let singletons = InstanceCache()

    /// Makes a container that has made nothing yet.
    public init(_ registrations: DependencyRegistrations) {
        self.registrations = registrations.byType
    }

    /// The service of a type.
    ///
    /// - Throws: ``DependencyError`` where it, or anything that it needs, is not registered, needs itself, or is
    ///   kept by a scope; and whatever a factory throws.
    public func resolve<Service: Sendable>(_ type: Service.Type = Service.self) throws -> Service {
        try Resolution(registrations: registrations, singletons: singletons, scoped: nil).resolve(type)
    }

    /// A place that keeps services of the lifetime ``Lifetime/scoped``: one command, one request, one window.
    public func makeScope() -> DependencyScope {
        DependencyScope(registrations: registrations, singletons: singletons)
    }

    /// Looks through the whole graph, making none of it, and names everything that is wrong with it.
    ///
    /// - Returns: Every type that something needs and nobody registered, every cycle (of a graph with very many,
    ///   the first hundred), and every singleton that needs what only a scope has, each with the path to it;
    ///   empty where every resolution will find its parts.
    public func validate() -> [DependencyError] {
        GraphCheck(registrations: registrations).problems()
    }

    /// The types that can be asked for, by name.
    public var registeredTypes: [String] { registrations.values.map { "\($0.key)" }.sorted() }
}
