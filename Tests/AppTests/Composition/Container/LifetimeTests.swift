import Testing

@testable import TrendyApp

@Suite("Lifetimes of a container's services")
struct LifetimeTests {
    private let made = Counter()

    private func wheels(as lifetime: Lifetime) -> DependencyRegistrations {
        DependencyRegistrations { graph in
            graph.register(Wheel.self, as: lifetime) { [made] in Wheel(number: made.next()) }
        }
    }

    @Test("a singleton is made once, for the container and every scope")
    func singleton() throws {
        let container = DependencyContainer(wheels(as: .singleton))
        let (scope, other) = (container.makeScope(), container.makeScope())
        #expect(try scope.resolve(Wheel.self) == Wheel(number: 1))
        #expect(try container.resolve(Wheel.self) == Wheel(number: 1))
        #expect(try other.resolve(Wheel.self) == Wheel(number: 1))
        #expect(made.value == 1)
    }

    @Test("two containers of the same registrations share nothing")
    func twoContainers() throws {
        let registrations = wheels(as: .singleton)
        #expect(try DependencyContainer(registrations).resolve(Wheel.self) == Wheel(number: 1))
        #expect(try DependencyContainer(registrations).resolve(Wheel.self) == Wheel(number: 2))
    }

    @Test("a transient is made anew for whoever asks, in a scope too")
    func transient() throws {
        let container = DependencyContainer(wheels(as: .transient))
        let scope = container.makeScope()
        #expect(try container.resolve(Wheel.self) == Wheel(number: 1))
        #expect(try container.resolve(Wheel.self) == Wheel(number: 2))
        #expect(try scope.resolve(Wheel.self) == Wheel(number: 3))
        #expect(try scope.resolve(Wheel.self) == Wheel(number: 4))
    }

    @Test("what is scoped is one for each scope, and none outside")
    func scoped() throws {
        let container = DependencyContainer(wheels(as: .scoped))
        let (scope, other) = (container.makeScope(), container.makeScope())
        #expect(try scope.resolve(Wheel.self) == Wheel(number: 1))
        #expect(try other.resolve(Wheel.self) == Wheel(number: 2))
        #expect(try scope.resolve(Wheel.self) == Wheel(number: 1))
        #expect(throws: DependencyError.outsideScope(path: ["Wheel"])) { try container.resolve(Wheel.self) }
        #expect(made.value == 2)
    }

    @Test("what several need in one resolution is one where it is kept, and several where it is not")
    func shared() throws {
        func parts(_ lifetime: Lifetime) throws -> (Fuel, Fuel) {
            let container = DependencyContainer(
                DependencyRegistrations { graph in
                    graph.register(Fuel.self, as: lifetime) { Fuel() }
                    graph.register(Engine.self, as: .transient, from: Fuel.self) { Engine(fuel: $0) }
                    graph.register([Fuel].self, as: .transient, from: Engine.self, Fuel.self) { [$0.fuel, $1] }
                })
            let both = try container.makeScope().resolve([Fuel].self)
            return (both[0], both[1])
        }
        for lifetime in [Lifetime.singleton, .scoped] {
            let (first, second) = try parts(lifetime)
            #expect(first === second, "\(lifetime)")
        }
        let (first, second) = try parts(.transient)
        #expect(first !== second)
    }

    @Test("a scope's services end with the scope, a singleton with the container")
    func released() throws {
        var container: DependencyContainer? = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register(Fuel.self) { Fuel() }
                graph.register(Engine.self, as: .scoped, from: Fuel.self) { Engine(fuel: $0) }
            })
        var scope = container?.makeScope()
        weak let engine = try scope?.resolve(Engine.self)
        weak let fuel = try container?.resolve(Fuel.self)
        #expect(engine != nil && fuel != nil)
        scope = nil
        #expect(engine == nil && fuel != nil)
        container = nil
        #expect(fuel == nil)
    }

    @Test("a singleton that needs what is scoped is refused in a scope too: it would keep it beyond it")
    func captive() throws {
        let container = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register(Fuel.self, as: .scoped) { Fuel() }
                graph.register(Engine.self, from: Fuel.self) { Engine(fuel: $0) }
            })
        let error = DependencyError.outsideScope(path: ["Engine", "Fuel"])
        #expect(throws: error) { try container.makeScope().resolve(Engine.self) }
        let scope = container.makeScope()
        _ = try scope.resolve(Fuel.self)
        #expect(throws: error) { try scope.resolve(Engine.self) }
    }
}
