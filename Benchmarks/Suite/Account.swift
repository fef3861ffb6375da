import Foundation
import TrendyDomain

/// An account on the measured server, with a type, and the bodies of requests that it sends.
struct Account {
    private(set) var token: String
    private(set) var type: String
    private let identifiers = UUIDv7Generator()

    private struct Grant: Decodable {
        var token: String

        enum CodingKeys: String, CodingKey { case token = "access_token" }
    }

    private struct Made: Decodable { var id: String }

    private struct Cursor: Decodable { var cursor: Int64 }

    /// Signs up, and makes the type.
    init(_ load: HTTPLoad, _ name: String) throws {
        let connection = try HTTPConnection(port: load.port)
        let account = try JSONEncoder().encode([
            "email": "\(name)@example.org", "password": "a password for measuring",
        ])
        let answer = try connection.send(HTTPLoad.request("POST", "auth/signup", body: account))
        token = try JSONDecoder().decode(Grant.self, from: answer.body).token
        let body = try JSONEncoder().encode(EventType(id: identifiers.makeId(), name: "coffee"))
        let made = try connection.send(HTTPLoad.request("POST", "event-types", token: token, body: body))
        type = try JSONDecoder().decode(Made.self, from: made.body).id
    }

    func event(notes: String = "a note of ordinary length") -> Data {
        (try? WireCoding.encode(record(notes: notes))) ?? Data()
    }

    /// The body of an exchange that makes so many events.
    func creates(_ count: Int) -> Data {
        let mutations = (0..<count).map { _ -> String in
            let event = record(notes: "a note of ordinary length")
            let data = String(decoding: (try? WireCoding.encode(event)) ?? Data(), as: UTF8.self)
            return """
                {"key":"\(identifiers.makeId())","entity_type":"event","operation":"create",\
                "entity_id":"\(event.id)","base":0,"data":\(data)}
                """
        }
        return Data(#"{"epoch":null,"cursor":null,"limit":1,"mutations":[\#(mutations.joined(separator: ","))]}"#.utf8)
    }

    /// The revision of the latest change.
    func head(_ load: HTTPLoad) throws -> Int64 {
        let request = HTTPLoad.request("GET", "changes/latest-cursor", token: token)
        return try JSONDecoder().decode(Cursor.self, from: HTTPConnection(port: load.port).send(request).body).cursor
    }

    private func record(notes: String) -> Event {
        Event(
            id: identifiers.makeId(), eventTypeId: type, timestamp: Timestamp(milliseconds: 1_700_000_000_000),
            notes: notes)
    }
}
