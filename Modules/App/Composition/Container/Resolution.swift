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
