import Testing

@testable import TrendyApp

@Suite("validate() of a container")
struct GraphCheckTests {
    private typealias A = Part<One>
    private typealias B = Part<Two>
    private typealias C = Part<Three>
    private typealias D = Part<Four>

    /// The error's path with the letters of the types.
    private func path(_ letters: String) -> [String] {
        letters.map { ["A": "Part<One>", "B": "Part<Two>", "C": "Part<Three>", "D": "Part<Four>"][$0, default: ""] }
    }

    @Test("finds nothing in a graph that is sound, however the parts are shared")
    func sound() {
        let graph = DependencyRegistrations { graph in
            graph.register(A.self, from: B.self, C.self) { _, _ in A() }
            graph.register(B.self, from: D.self) { _ in B() }
            graph.register(C.self, from: D.self, B.self) { _, _ in C() }
            graph.register(D.self) { D() }
        }
        #expect(graph.problems == [])
        #expect(DependencyRegistrations().problems == [])
    }

    @Test("names everything that is missing, for each type that needs it, with the path from what is asked for")
    func missing() {
        let graph = DependencyRegistrations { graph in
            graph.register(A.self, from: B.self, Int.self) { _, _ in A() }
            graph.register(B.self, from: D.self) { _ in B() }
            graph.register(C.self, from: D.self) { _ in C() }
        }
        #expect(
            Set(graph.problems) == [
                .missing(path: path("A") + ["Int"]), .missing(path: path("ABD")), .missing(path: path("CD")),
            ])
        #expect(graph.problems.count == 3)
    }

    @Test("finds cycles with their paths, wherever they are entered, until the last is mended")
    func cycles() {
        var graph = DependencyRegistrations { graph in
            graph.register(A.self, from: B.self, C.self) { _, _ in A() }
            graph.register(B.self, from: C.self) { _ in B() }
            graph.register(C.self, from: A.self) { _ in C() }
            graph.register(D.self, from: D.self, A.self) { _, _ in D() }
        }
        #expect(graph.problems == [.cycle(path: path("ABCA")), .cycle(path: path("DD"))])
        graph.register(B.self) { B() }
        #expect(graph.problems == [.cycle(path: path("ACA")), .cycle(path: path("DD"))])
        graph.register(C.self) { C() }
        graph.register(D.self, from: A.self) { _ in D() }
        #expect(graph.problems == [])
    }

    @Test("finds what is missing behind a cycle, and the cycle")
    func both() {
        let graph = DependencyRegistrations { graph in
            graph.register(A.self, from: B.self) { _ in A() }
            graph.register(B.self, from: A.self, C.self) { _, _ in B() }
        }
        #expect(graph.problems.count == 2)
        #expect(graph.problems.contains { if case .cycle = $0 { true } else { false } })
        #expect(
            graph.problems.contains { if case .missing(let path) = $0 { path.last == "Part<Three>" } else { false } })
    }

    @Test("says the same in the same order each time, and what resolving would say")
    func deterministic() {
        func graph() -> DependencyRegistrations {
            DependencyRegistrations { graph in
                graph.register(D.self, from: Int.self, String.self) { _, _ in D() }
                graph.register(C.self, from: Bool.self) { _ in C() }
                graph.register(B.self, from: B.self) { _ in B() }
            }
        }
        let problems = graph().problems
        #expect(problems.count == 4)
        for _ in 0..<20 { #expect(graph().problems == problems) }
        #expect(throws: DependencyError.missing(path: path("C") + ["Bool"])) {
            try DependencyContainer(graph()).resolve(C.self)
        }
    }

    @Test("ends soon on a graph in which everything needs everything")
    func dense() {
        var graph = DependencyRegistrations()
        func add<Service: Sendable>(_ service: Service.Type, _ depth: Int) {
            graph.register(
                Service.self, from: Service?.self, [Service].self, Service??.self, A.self, B.self, [A].self, A?.self
            ) { _, _, _, _, _, _, _ in throw CancellationError() }
            if depth > 0 {
                add(Service?.self, depth - 1)
                add([Service].self, depth - 1)
            }
        }
        add(A.self, 5)
        #expect(!graph.problems.isEmpty)
    }
}
