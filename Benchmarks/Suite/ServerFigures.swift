import Foundation

/// What a server does in a second, each commit on the disk, and what one person's largest requests cost others.
///
/// Where `TRENDY_BENCH_DATABASE` has PostgreSQL's URL, it is measured in place of the folder.
struct ServerFigures {
    let workplace: Workplace

    private let connections = 64

    func run() throws -> [Figure] {
        let database = ProcessInfo.processInfo.environment["TRENDY_BENCH_DATABASE"]
        try workplace.startServer(database: database)
        guard let port = URL(string: workplace.address)?.port else {
            throw ChildFailure(description: "the server's address has no port: \(workplace.address)")
        }
        let load = HTTPLoad(port: port)
        let person = try Account(load, "person")
        return try [posts(load, person), [exchange(load, person, isDatabase: database != nil)], beside(load, person)]
            .flatMap(\.self)
    }

    // MARK: Figures

    private func posts(_ load: HTTPLoad, _ person: Account) throws -> [Figure] {
        let lists = (0..<connections).map { _ in
            (0..<100).map { _ in
                HTTPLoad.request("POST", "events", token: person.token, body: person.event())
            }
        }
        let result = try load.run(lists).checked()
        return [
            Figure(
                name: "durable POST, \(connections) connections",
                value: Double(result.times.count) / result.seconds, unit: "/s", target: .atLeast(2_500),
                detail: "median \(milliseconds(result.percentile(0.5)))"),
            Figure(
                name: "the same, 99 of 100", value: result.percentile(0.99) * 1_000, unit: "ms", target: .atMost(80)),
        ]
    }

    private func exchange(_ load: HTTPLoad, _ person: Account, isDatabase: Bool) throws -> Figure {
        let lists = (0..<2).map { _ in
            (0..<20).map { _ in
                HTTPLoad.request("POST", "sync", token: person.token, body: person.creates(1_000))
            }
        }
        let result = try load.run(lists).checked()
        return Figure(
            name: "durable exchange of 1,000 creates", value: Double(result.times.count) * 1_000 / result.seconds,
            unit: "records/s", target: .atLeast(isDatabase ? 15_000 : 30_000))
    }

    /// Another person writes while one sends the largest bodies, and deletes a type with all its events.
    private func beside(_ load: HTTPLoad, _ person: Account) throws -> [Figure] {
        let other = try Account(load, "other")
        let long = String(repeating: "a long note. ", count: 70_000)
        let large = (0..<4).map { _ in
            (0..<10).map { _ in
                HTTPLoad.request("POST", "events", token: person.token, body: person.event(notes: long))
            }
        }
        let deletion = [HTTPLoad.request("DELETE", "event-types/\(person.type)", token: person.token)]
        let writes = (0..<200).map { _ in
            HTTPLoad.request("POST", "events", token: other.token, body: other.event())
        }
        var times: [Double] = []
        for worst in [large, [deletion]] {
            let both = DispatchGroup()
            both.enter()
            Thread.detachNewThread {
                _ = try? load.run(worst)
                both.leave()
            }
            times += try load.run([writes]).checked().times
            both.wait()
        }
        return [
            Figure(
                name: "another's write beside the worst requests", value: (times.max() ?? .nan) * 1_000, unit: "ms",
                target: .atMost(250), detail: "the slowest of \(times.count); median \(milliseconds(times.median))")
        ]
    }
}
