import Synchronization

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

/// What has been made and is kept.
///
/// The lock is held for one look into a dictionary, never while something is made.
final class InstanceCache: Sendable {
    private let instances = Mutex<[ObjectIdentifier: any Sendable & AnyObject]>([:])

    func find(_ id: ObjectIdentifier) -> (any Sendable & AnyObject)? { instances.withLock { $0[id] } }

    /// Keeps one, unless another was kept meanwhile, and returns the one that is kept.
    func keep(_ instance: any Sendable & AnyObject, _ id: ObjectIdentifier) -> any Sendable & AnyObject {
        instances.withLock { instances in
            if let earlier = instances[id] { return earlier }
            instances[id] = instance
            return instance
        }
    }
}

/// One question to a container, and all that follow from it.
struct Resolution {
    let registrations: [ObjectIdentifier: DependencyRegistration]
    let singletons: InstanceCache
    /// Nil outside any scope, and while a singleton is made: it outlives every scope.
    let scoped: InstanceCache?
    /// What is being made, outermost first.
    var path: [DependencyKey] = []

    func resolve<Service: Sendable>(_ type: Service.Type) throws -> Service {
        let id = ObjectIdentifier(type)
        // What is there already costs one look, and no bookkeeping.
        if let kept = singletons.find(id) ?? scoped?.find(id), let instance = kept as? Instance<Service> {
            return instance.service
        }
        guard let registration = registrations[id], let instance = try make(registration) as? Instance<Service> else {
            throw DependencyError.missing(path: names(to: DependencyKey(type: type)))
        }
        return instance.service
    }

    private func make(_ registration: DependencyRegistration) throws -> any Sendable & AnyObject {
        let key = registration.key
        if path.contains(key) { throw DependencyError.cycle(path: (path.drop { $0 != key } + [key]).map { "\($0)" }) }
        switch registration.lifetime {
        case .transient: return try registration.make(inside(key, scoped))
        case .singleton: return singletons.keep(try registration.make(inside(key, nil)), key.id)
        case .scoped:
            guard let scoped else { throw DependencyError.outsideScope(path: names(to: key)) }
            return scoped.keep(try registration.make(inside(key, scoped)), key.id)
        }
    }

    /// The questions that the making of this type asks.
    private func inside(_ key: DependencyKey, _ scoped: InstanceCache?) -> Resolution {
        Resolution(registrations: registrations, singletons: singletons, scoped: scoped, path: path + [key])
    }

    private func names(to last: DependencyKey) -> [String] { (path + [last]).map { "\($0)" } }
}
