import Synchronization

@testable import TrendyApp

// Parts of no use, for graphs of every shape.

final class Engine: Sendable {
    let fuel: Fuel
    init(fuel: Fuel) { self.fuel = fuel }
}

final class Fuel: Sendable {}

struct Wheel: Sendable, Hashable { var number: Int }

final class Car: Sendable {
    let engine: Engine
    let wheel: Wheel

    init(engine: Engine, wheel: Wheel) {
        self.engine = engine
        self.wheel = wheel
    }
}

protocol Greeter: Sendable { var greeting: String { get } }

struct Plain: Greeter { let greeting: String }

/// Types that differ in nothing but their number.
enum One {}
enum Two {}
enum Three {}
enum Four {}
struct Part<Number>: Sendable {}

/// Counts from several threads.
final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }

    @discardableResult
    func next() -> Int {
        number.withLock {
            $0 += 1
            return $0
        }
    }
}

extension DependencyRegistrations {
    /// A graph that is made in a few lines.
    init(_ fill: (inout DependencyRegistrations) -> Void) {
        self.init()
        fill(&self)
    }

    /// The problems that `validate()` finds.
    var problems: [DependencyError] { DependencyContainer(self).validate() }
}
