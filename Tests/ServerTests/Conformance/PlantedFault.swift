import Foundation
import Synchronization
import TrendyConformance
import TrendyDomain

/// Something that a server does wrong, and the rules that must notice it.
struct PlantedFault: Sendable, CustomStringConvertible {
    let description: String
    let rules: [String]
    var answer: @Sendable (WireRequest, WireAnswer) -> WireAnswer = { $1 }
    var request: @Sendable (WireRequest) -> WireRequest = { $0 }

    func layer(_ inner: @escaping ConformanceTarget.Send) -> ConformanceTarget.Send {
        { [request, answer] given in answer(given, try await inner(request(given))) }
    }

    /// Changes the JSON of the answers to some requests.
    static func json(
        _ description: String, _ rules: [String], of method: WireRequest.Method, _ resource: String,
        _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void
    ) -> PlantedFault {
        PlantedFault(description: description, rules: rules) { request, answer in
            guard request.method == method, request.resource.hasPrefix(resource), answer.status < 300,
                var members = DeployedServer.json(answer.body).objectValue
            else { return answer }
            change(&members)
            return answer.with(.object(members))
        }
    }

    /// Changes each entry of the feed.
    static func entries(
        _ description: String, _ rules: [String], _ change: @escaping @Sendable (JSONValue) -> JSONValue
    ) -> PlantedFault {
        json(description, rules, of: .get, "/changes") { page in
            if let changes = page["changes"] { page["changes"] = .array(changes.elements.map(change)) }
        }
    }

    /// Changes each result of an exchange.
    static func results(
        _ description: String, _ rules: [String], _ change: @escaping @Sendable (JSONValue) -> JSONValue
    ) -> PlantedFault {
        json(description, rules, of: .post, "/sync") { answer in
            if let results = answer["results"] { answer["results"] = .array(results.elements.map(change)) }
        }
    }

    /// Changes the status of some answers.
    static func status(
        _ description: String, _ rules: [String], from: Int, to: Int,
        where applies: @escaping @Sendable (WireRequest) -> Bool = { _ in true }
    ) -> PlantedFault {
        PlantedFault(description: description, rules: rules) { request, answer in
            guard answer.status == from, applies(request) else { return answer }
            var answer = answer
            answer.status = to
            return answer
        }
    }

    /// Changes the JSON of the bodies of some requests.
    static func body(
        _ description: String, _ rules: [String], of method: WireRequest.Method, _ resource: String,
        _ change: @escaping @Sendable (inout [String: JSONValue]) -> Void
    ) -> PlantedFault {
        var fault = PlantedFault(description: description, rules: rules)
        fault.request = { request in
            guard request.method == method, request.resource.hasPrefix(resource),
                var members = DeployedServer.json(request.body).objectValue
            else { return request }
            change(&members)
            var request = request
            request.body = try? WireCoding.encode(members)
            return request
        }
        return fault
    }

    /// Changes the query of some requests.
    static func path(
        _ description: String, _ rules: [String], _ change: @escaping @Sendable (String) -> String
    ) -> PlantedFault {
        var fault = PlantedFault(description: description, rules: rules)
        fault.request = { request in
            var request = request
            request.path = change(request.path)
            return request
        }
        return fault
    }

    /// Leaves a header field out of some requests.
    static func without(
        _ header: String, _ description: String, _ rules: [String],
        where applies: @escaping @Sendable (WireRequest) -> Bool = { _ in true }
    ) -> PlantedFault {
        var fault = PlantedFault(description: description, rules: rules)
        fault.request = { request in
            guard applies(request) else { return request }
            var request = request
            request.headers[header] = nil
            return request
        }
        return fault
    }
}

extension WireAnswer {
    func with(_ json: JSONValue) -> WireAnswer {
        WireAnswer(status: status, headers: headers, body: (try? WireCoding.encode(json)) ?? Data())
    }
}
