import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TrendyApp

@Suite("A container under several threads", .timeLimit(.minutes(5)))
struct ContainerConcurrencyTests {
    /// Lets a factory of a test reach the container that runs it.
    private final class Reach: Sendable {
        private let container = Mutex<DependencyContainer?>(nil)

        func resolve<Service: Sendable>(_ type: Service.Type) throws -> Service {
            let container = self.container.withLock { $0 }
            return try #require(container).resolve(type)
        }

        func set(_ container: DependencyContainer?) { self.container.withLock { $0 = container } }
    }

    @Test("no lock is held while a factory runs: another thread resolves meanwhile, and so does the factory")
    func noLock() throws {
        let reach = Reach()
        defer { reach.set(nil) }
        let container = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register(Fuel.self) { Fuel() }
                graph.register(Wheel.self) { Wheel(number: 1) }
                graph.register(Engine.self) {
                    let fuel = Mutex<Fuel?>(nil)
                    let done = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async {
                        let made = try? reach.resolve(Fuel.self)
                        fuel.withLock { $0 = made }
                        done.signal()
                    }
                    done.wait()
                    _ = try reach.resolve(Wheel.self)
                    return Engine(fuel: try #require(fuel.withLock { $0 }))
                }
            })
        reach.set(container)
        #expect(try container.resolve(Engine.self).fuel === container.resolve(Fuel.self))
    }

    @Test("two threads that make one part at the same time get the same one")
    func race() throws {
        let made = Counter()
        let bothInside = DispatchSemaphore(value: 0)
        let container = DependencyContainer(
            DependencyRegistrations { graph in
                graph.register(Fuel.self) {
                    // The first waits inside its factory for the second, so that the race is there each time.
                    if made.next() == 1 { bothInside.wait() } else { bothInside.signal() }
                    return Fuel()
                }
            })
        let results = Mutex<[Fuel]>([])
        let done = DispatchGroup()
        for _ in 0..<2 {
            done.enter()
            // Threads of their own: a pool may have one alone, on which the first would wait forever.
            Thread.detachNewThread {
                if let fuel = try? container.resolve(Fuel.self) { results.withLock { $0.append(fuel) } }
                done.leave()
            }
        }
        done.wait()
        let both = results.withLock { $0 }
        #expect(made.value == 2)
        #expect(both.count == 2 && both.first === both.last)
        #expect(try container.resolve(Fuel.self) === both.first)
    }

    @Test("under load everyone gets the same parts, and nothing is lost")
    func load() async throws {
        for _ in 0..<20 {
            let container = DependencyContainer(
                DependencyRegistrations { graph in
                    graph.register(Fuel.self) { Fuel() }
                    graph.register(Engine.self, from: Fuel.self) { Engine(fuel: $0) }
                })
            let engines = try await withThrowingTaskGroup(of: [Engine].self) { group in
                for _ in 0..<8 {
                    group.addTask { try (0..<200).map { _ in try container.resolve(Engine.self) } }
                }
                return try await group.reduce(into: [Engine]()) { $0 += $1 }
            }
            let (engine, fuel) = (try container.resolve(Engine.self), try container.resolve(Fuel.self))
            #expect(engines.count == 1600 && engines.allSatisfy { $0 === engine && $0.fuel === fuel })
        }
    }
}
