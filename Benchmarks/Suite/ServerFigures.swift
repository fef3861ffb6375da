import Foundation
import TrendyDomain

/// What a server does in a second, each commit on the disk, and what one person's largest requests cost others.
///
/// Where `TRENDY_BENCH_DATABASE` has PostgreSQL's URL, it is measured in place of the folder.
struct ServerFigures {
    let workplace: Workplace

    private let connections = 64
    private let identifiers = UUIDv7Generator()

    func run() throws -> [Figure] {
        let database = ProcessInfo.processInfo.environment["TRENDY_BENCH_DATABASE"]
        try workplace.startServer(database: database)
        guard let port = URL(string: workplace.address)?.port else {
            throw ChildFailure(description: "the server's address has no port: \(workplace.address)")
        }
        let load = HTTPLoad(port: port)
        let person = try signUp(load, "person")
        return try [posts(load, person), [exchange(load, person, isDatabase: database != nil)], beside(load, person)]
            .flatMap(\.self)
    }

    // MARK: Figures

    private func posts(_ load: HTTPLoad, _ person: Person) throws -> [Figure] {
        let lists = (0..<connections).map { _ in
            (0..<100).map { _ in
                HTTPLoad.request("POST", "events", token: person.token, body: event(of: person))
            }
        }
        let result = try checked(load.run(lists))
        return [
            Figure(
                name: "durable POST, \(connections) connections",
                value: Double(result.times.count) / result.seconds, unit: "/s", target: .atLeast(2_500),
                detail: "median \(milliseconds(result.percentile(0.5)))"),
            Figure(
                name: "the same, 99 of 100", value: result.percentile(0.99) * 1_000, unit: "ms", target: .atMost(80)),
        ]
    }

    private func exchange(_ load: HTTPLoad, _ person: Person, isDatabase: Bool) throws -> Figure {
        let lists = (0..<2).map { _ in
            (0..<20).map { _ in
                HTTPLoad.request("POST", "sync", token: person.token, body: creates(1_000, of: person))
            }
        }
        let result = try checked(load.run(lists))
        return Figure(
            name: "durable exchange of 1,000 creates", value: Double(result.times.count) * 1_000 / result.seconds,
            unit: "records/s", target: .atLeast(isDatabase ? 15_000 : 30_000))
    }

    /// Another person writes while one sends the largest bodies, and deletes a type with all its events.
    private func beside(_ load: HTTPLoad, _ person: Person) throws -> [Figure] {
        let other = try signUp(load, "other")
        let long = String(repeating: "a long note. ", count: 70_000)
        let large = (0..<4).map { _ in
            (0..<10).map { _ in
                HTTPLoad.request("POST", "events", token: person.token, body: event(of: person, notes: long))
            }
        }
        let deletion = [HTTPLoad.request("DELETE", "event-types/\(person.type)", token: person.token)]
        let writes = (0..<200).map { _ in
            HTTPLoad.request("POST", "events", token: other.token, body: event(of: other))
        }
        var times: [Double] = []
        for worst in [large, [deletion]] {
            let both = DispatchGroup()
            both.enter()
            Thread.detachNewThread {
                _ = try? load.run(worst)
                both.leave()
            }
            times += try checked(load.run([writes])).times
            both.wait()
        }
        return [
            Figure(
                name: "another's write beside the worst requests", value: (times.max() ?? .nan) * 1_000, unit: "ms",
                target: .atMost(250), detail: "the slowest of \(times.count); median \(milliseconds(times.median))")
        ]
    }

    private func checked(_ result: HTTPLoad.Result) throws -> HTTPLoad.Result {
        guard result.failures == 0 else {
            throw ChildFailure(description: "\(result.failures) of \(result.times.count) requests were refused")
        }
        return result
    }

    // MARK: Requests

    private struct Person {
        var token: String
        var type: String
    }

    private struct Grant: Decodable {
        var token: String

        enum CodingKeys: String, CodingKey { case token = "access_token" }
    }

    /// A new account with a type.
    private func signUp(_ load: HTTPLoad, _ name: String) throws -> Person {
        let connection = try HTTPConnection(port: load.port)
        let account = try JSONEncoder().encode([
            "email": "\(name)@example.org", "password": "a password for measuring",
        ])
        let answer = try connection.send(HTTPLoad.request("POST", "auth/signup", body: account))
        let token = try JSONDecoder().decode(Grant.self, from: answer.body).token
        let type = try JSONEncoder().encode(EventType(id: identifiers.makeId(), name: "coffee"))
        let made = try connection.send(HTTPLoad.request("POST", "event-types", token: token, body: type))
        struct Made: Decodable { var id: String }
        return Person(token: token, type: try JSONDecoder().decode(Made.self, from: made.body).id)
    }

    private func record(of person: Person, notes: String) -> Event {
        Event(
            id: identifiers.makeId(), eventTypeId: person.type, timestamp: Timestamp(milliseconds: 1_700_000_000_000),
            notes: notes)
    }

    private func event(of person: Person, notes: String = "a note of ordinary length") -> Data {
        (try? WireCoding.encode(record(of: person, notes: notes))) ?? Data()
    }

    private func creates(_ count: Int, of person: Person) -> Data {
        let mutations = (0..<count).map { _ -> String in
            let event = record(of: person, notes: "a note of ordinary length")
            let data = String(decoding: (try? WireCoding.encode(event)) ?? Data(), as: UTF8.self)
            return """
                {"key":"\(identifiers.makeId())","entity_type":"event","operation":"create",\
                "entity_id":"\(event.id)","base":0,"data":\(data)}
                """
        }
        return Data(#"{"epoch":null,"cursor":null,"limit":1,"mutations":[\#(mutations.joined(separator: ","))]}"#.utf8)
    }
}
