import Foundation
import TrendyApp

/// Resolution, registration and the memory of the container from which the program is put together.
struct ContainerFigures {
    private let rounds = 21
    private let services = 16

    func run() throws -> [Figure] {
        [
            Figure(
                name: "container: resolution", value: try resolution() * 1e6, unit: "µs", target: .atMost(1),
                detail: "of a part that is made already"),
            Figure(
                name: "container: registration", value: registration() * 1e6, unit: "µs", target: .atMost(10),
                detail: "\(services) services, each made from another"),
            try memoryFigure(),
        ]
    }

    // MARK: Time

    private func resolution() throws -> Double {
        let container = DependencyContainer(graph())
        return try median(of: 100_000) { _ = try container.resolve(Layer<Layer<Base>>.self) }
    }

    private func registration() -> Double {
        // A graph is a value: each round begins with an empty one, as the program does.
        median(of: 1000) { _ = graph() } / Double(services + 1)
    }

    /// Seconds for one time of many.
    private func median(of count: Int, _ body: () throws -> Void) rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            for _ in 0..<count { try body() }
            times.append((ContinuousClock.now - start) / .seconds(1) / Double(count))
        }
        return times.median
    }

    // MARK: Memory

    /// Which containers a process is told to make, to see what they take.
    enum Kind: String {
        /// Those of these figures, with everything in them made.
        case full
        /// Those of the program, with nothing made.
        case product
    }

    /// What one container takes: the peak of a process that holds many, less that of one that holds few.
    private func memory(_ kind: Kind) throws -> Double {
        let (few, many) = (100, 10_100)
        let child = Child(executable: CommandLine.arguments[0])
        let peaks = try [few, many].map { try child.run(["containers", kind.rawValue, "\($0)"]).peakMemory }
        return Double(peaks[1] - peaks[0]) / Double(many - few) / 1024
    }

    private func memoryFigure() throws -> Figure {
        Figure(
            name: "container: memory", value: try memory(.full), unit: "KiB", target: .atMost(5),
            detail: String(
                format: "%d services, all made; the program's, nothing made: %.2f KiB", services + 1,
                try memory(.product)))
    }

    /// Makes containers and holds them until the end: a process of its own, whose memory is looked at.
    @MainActor
    static func hold(_ count: Int, _ kind: Kind) throws {
        let configuration = TrendyConfiguration(folders: Folders(data: "/nowhere", config: "/nowhere"))
        let process = ProcessContext.current()
        let containers = try (0..<count).map { _ in
            switch kind {
            case .product:
                return DependencyContainer(.production(configuration: configuration, process: process))
            case .full:
                let container = DependencyContainer(ContainerFigures().graph())
                _ = try container.resolve(Passenger.self)
                return container
            }
        }
        withExtendedLifetime(containers) { print(containers.count) }
    }

    // MARK: The graph

    private func graph() -> DependencyRegistrations {
        var graph = DependencyRegistrations()
        graph.register(Base.self) { Base() }
        addLayer(over: Base.self, services - 1, to: &graph)
        return graph
    }

    /// Each layer is a type of its own, registered as one made from the layer below; a passenger needs the last.
    private func addLayer<Below: Sendable>(
        over below: Below.Type, _ remaining: Int, to graph: inout DependencyRegistrations
    ) {
        guard remaining > 0 else {
            return graph.register(Passenger.self, from: Below.self) { _ in Passenger() }
        }
        graph.register(Layer<Below>.self, from: Below.self) { _ in Layer() }
        addLayer(over: Layer<Below>.self, remaining - 1, to: &graph)
    }

    private struct Base: Sendable {}
    private struct Layer<Below: Sendable>: Sendable {}
    private struct Passenger: Sendable {}
}
