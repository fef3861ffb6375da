import Testing

@testable import TrendyApp

@Suite("DependencyContainer")
struct ContainerTests {
    private let made = Counter()

    private var car: DependencyRegistrations {
        DependencyRegistrations { graph in
            graph.register(Fuel.self) { [made] in
                made.next()
                return Fuel()
            }
            graph.register(Engine.self, from: Fuel.self) { [made] fuel in
                made.next()
                return Engine(fuel: fuel)
            }
            graph.register(Wheel.self) { Wheel(number: 4) }
            graph.register(Car.self, from: Engine.self, Wheel.self) { Car(engine: $0, wheel: $1) }
        }
    }

    @Test("nothing is made before it is asked for, and then only what it needs")
    func lazy() throws {
        let container = DependencyContainer(car)
        #expect(container.validate() == [])
        #expect(container.registeredTypes == ["Car", "Engine", "Fuel", "Wheel"])
        #expect(made.value == 0)
        _ = try container.resolve(Wheel.self)
        #expect(made.value == 0)
        let car = try container.resolve(Car.self)
        #expect(made.value == 2)
        #expect(try car.engine === container.resolve(Engine.self))
        #expect(try car.engine.fuel === container.resolve(Fuel.self))
        #expect(car.wheel == Wheel(number: 4))
        #expect(made.value == 2)
    }

    @Test("a later registration takes the place of an earlier one, in a copy alone")
    func overrides() throws {
        let product = car
        var other = product
        other.register(Wheel.self) { Wheel(number: 3) }
        #expect(try DependencyContainer(other).resolve(Car.self).wheel == Wheel(number: 3))
        #expect(try DependencyContainer(product).resolve(Car.self).wheel == Wheel(number: 4))
    }

    @Test("what an override no longer needs is not made")
    func overrideNeedsNothing() throws {
        var graph = car
        let own = Engine(fuel: Fuel())
        graph.register(Engine.self) { own }
        #expect(try DependencyContainer(graph).resolve(Car.self).engine === own)
        #expect(made.value == 0)
    }

    @Test("a protocol and the type behind it are registered apart; types of one name are two")
    func keys() throws {
        let container = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register((any Greeter).self, from: Plain.self) { $0 }
                graph.register(Plain.self) { Plain(greeting: "hello") }
                graph.register(Part<One>.self) { Part() }
                graph.register(Int?.self) { nil }
            })
        #expect(try container.resolve((any Greeter).self).greeting == "hello")
        #expect(try container.resolve(Int?.self) == nil)
        _ = try container.resolve(Part<One>.self)
        #expect(throws: DependencyError.missing(path: ["Part<Two>"])) { try container.resolve(Part<Two>.self) }
        #expect(throws: DependencyError.missing(path: ["Int"])) { try container.resolve(Int.self) }
    }

    @Test("resolving what is missing or needs itself throws an error that names the path")
    func paths() {
        let container = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register(Car.self, from: Engine.self, Wheel.self) { Car(engine: $0, wheel: $1) }
                graph.register(Engine.self, from: Fuel.self) { Engine(fuel: $0) }
                graph.register(Part<One>.self, from: Part<Two>.self) { _ in Part() }
                graph.register(Part<Two>.self, from: Part<Three>.self) { _ in Part() }
                graph.register(Part<Three>.self, from: Part<Two>.self) { _ in Part() }
            })
        #expect(throws: DependencyError.missing(path: ["Car", "Engine", "Fuel"])) { try container.resolve(Car.self) }
        #expect(throws: DependencyError.cycle(path: ["Part<Two>", "Part<Three>", "Part<Two>"])) {
            try container.resolve(Part<One>.self)
        }
        let error = DependencyError.missing(path: ["Car", "Engine", "Fuel"])
        #expect(
            error.description
                == "Fuel is not registered and needed by Car → Engine; register it where the program is composed")
    }

    @Test("what a factory throws comes out as it is, is not kept, and the next resolution asks again")
    func factoryError() throws {
        struct Flat: Error {}
        let container = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register(Wheel.self) { [made] in
                    if made.next() == 1 { throw Flat() }
                    return Wheel(number: made.value)
                }
                graph.register([Wheel].self, from: Wheel.self) { [$0] }
            })
        #expect(throws: Flat.self) { try container.resolve([Wheel].self) }
        #expect(try container.resolve([Wheel].self) == [Wheel(number: 2)])
        #expect(made.value == 2)
    }

    @Test("two containers of the same registrations share nothing, and their parts end with them")
    func lives() throws {
        var container: DependencyContainer? = DependencyContainer(car)
        let other = DependencyContainer(car)
        #expect(try container?.resolve(Fuel.self) !== other.resolve(Fuel.self))
        weak let fuel = try container?.resolve(Fuel.self)
        #expect(fuel != nil)
        container = nil
        #expect(fuel == nil)
    }
}
