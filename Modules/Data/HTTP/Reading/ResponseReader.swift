import Foundation
import TrendyDomain

/// Makes records of answers, and errors of refusals.
struct ResponseReader: Sendable {
    let clock: any WallClock
    /// Turns the backend's refusals into the contract's.
    var problemBody: BodyMapping?

    /// Reads the body of a success.
    func read<Value: Decodable>(
        _ type: Value.Type, from response: TransportResponse, mapping: BodyMapping? = nil
    ) throws -> Value {
        try read(response) { try Self.value(type, of: $0, mapping) }
    }

    /// Reads the body of a success in a way of its own.
    func read<Value>(_ response: TransportResponse, _ read: (Data) throws -> Value) throws -> Value {
        try check(response)
        try requireJSON(response)
        return try decode(response, read)
    }

    /// Throws the error of an answer that is no success.
    func check(_ response: TransportResponse) throws {
        switch response.status {
        case 200..<300: return
        default: throw refusal(response)
        }
    }

    /// Reads a body that is known to be JSON.
    func decode<Value: Decodable>(
        _ type: Value.Type, from response: TransportResponse, mapping: BodyMapping? = nil
    ) throws -> Value {
        try decode(response) { try Self.value(type, of: $0, mapping) }
    }

    /// Reads a body that is known to be JSON. If one text, number or value keeps the whole from being read, it is
    /// mended, so that at most its record is unusable.
    private func decode<Value>(_ response: TransportResponse, _ read: (Data) throws -> Value) throws -> Value {
        do {
            do {
                return try read(response.body)
            } catch let error as DecodingError {
                guard let mended = JSONMender.mended(response.body) else { throw error }
                return try read(mended)
            }
        } catch let error as DecodingError {
            let reason = Self.compression(of: response) ?? error.inWords
            throw APIError.malformedResponse("status \(response.status): \(reason)")
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError.malformedResponse("status \(response.status): \(error)")
        }
    }

    /// Says that a body which cannot be read came compressed; nil where it did not.
    ///
    /// URLSession decompresses by itself and keeps the field: then the body is text.
    private static func compression(of response: TransportResponse) -> String? {
        guard let encoding = response.header("Content-Encoding")?.trimmed.lowercased(),
            !encoding.isEmpty, encoding != "identity", String(data: response.body, encoding: .utf8) == nil
        else { return nil }
        return "it came compressed (\(encoding.prefix(100))), which was not asked for"
    }

    private static func value<Value: Decodable>(
        _ type: Value.Type, of body: Data, _ mapping: BodyMapping?
    ) throws -> Value {
        guard let map = mapping?.response else { return try WireCoding.decode(type, from: body) }
        return try WireCoding.decode(type, from: WireCoding.encode(map(WireCoding.decode(JSONValue.self, from: body))))
    }

    /// Makes sure that a success claims to be JSON.
    func requireJSON(_ response: TransportResponse) throws {
        let status = response.status
        switch ContentType(response.header("Content-Type")) {
        case .json, .problem:
            guard response.body.isEmpty else { return }
            throw APIError.malformedResponse("status \(status) came with an empty body")
        case .html:
            throw APIError.notAServer("it answered \(status) with a web page; a sign-in page of the network, perhaps")
        case .missing:
            throw APIError.malformedResponse("status \(status) came without a content type")
        case .other(let media):
            throw APIError.malformedResponse("status \(status) came as \(media.prefix(100)), not as JSON")
        }
    }

    /// The error of an answer that is no success.
    func refusal(_ response: TransportResponse) -> APIError {
        let error = statedRefusal(response)
        return response.mayHaveArrivedBefore ? error.asRepetition : error
    }

    private func statedRefusal(_ response: TransportResponse) -> APIError {
        var problem = ProblemDetails(refusal: response, mapping: problemBody)
        problem.keepUnknown(of: response)
        let wait = waitAsked(response, problem)
        problem.retryAfter = wait.map { Int($0.rounded(.up)) }
        switch response.status {
        case 401:
            // A gateway answers 401 to everything while its sign-in service is down, also where no sign-in is asked for.
            return .unauthorized(
                problem.detail ?? problem.title ?? "it gives no reason", mayPass: !problem.isOfTheSignIn)
        case 407, 511:
            // A proxy, or the network, has kept the request from the server.
            return .notSent("the network asks for a sign-in of its own (status \(response.status))")
        case 408:
            return .timeout
        case 429:
            return .rateLimited(retryAfter: wait)
        case 100..<200, 300..<400:
            return .notAServer(
                Self.describeRedirect(response), isElsewhere: Self.elsewhere.contains(response.status))
        default:
            return isForeignPage(response)
                ? .notAServer("it answered \(response.status) with a web page", page: response.status)
                : .http(status: response.status, problem: problem)
        }
    }

    private func waitAsked(_ response: TransportResponse, _ problem: ProblemDetails) -> Double? {
        let here = clock.now()
        // The clock of this device may be wrong by more than the wait.
        let there = response.header("Date").flatMap { HTTPDate.timestamp($0, now: here) }
        let header = RetryAfter.seconds(response.header("Retry-After"), now: there ?? here)
        return [header, problem.retryAfter.map(Double.init)].compactMap(\.self).max()
    }

    /// Whether it is a web page that refuses. No server of this protocol wrote it, so it says nothing about the
    /// request. A gateway's page for a body that is too large (413), or for a server that is down (5xx), does.
    private func isForeignPage(_ response: TransportResponse) -> Bool {
        guard case .html = ContentType(response.header("Content-Type")) else { return false }
        return (400..<500).contains(response.status) && response.status != 413
    }

    /// The statuses that ask for the same request at another address. After a 303 the request may have been carried out.
    private static let elsewhere: Set = [301, 302, 307, 308]

    private static func describeRedirect(_ response: TransportResponse) -> String {
        // A sender of requests has made it a whole address.
        guard let location = response.header("Location") else { return "it answered \(response.status)" }
        let shown = location.filter { !$0.isWhitespace && !$0.isNewline }
        let place = shown.count > longestPlace ? "\(shown.prefix(longestPlace))…" : shown
        // A sign-in needs the address of a server, without the path of a request.
        let server = response.otherServer?.description ?? ""
        let goal = server.isEmpty || server.count > longestPlace ? "there" : "at \(server)"
        return "it answered \(response.status) and points to \(place); if the server has moved, sign in \(goal)"
    }

    /// How many characters of another address are shown.
    private static let longestPlace = 2_000
}
