public import TrendyDomain

extension APIClient {
    /// Asks the server for the changes after a cursor, oldest first.
    public func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse {
        var request = APIRequest(.get, routes.changesPath)
        let names = routes.changesParameters
        request.query = [(names.cursor, String(cursor)), (names.limit, String(max(1, limit)))]
        let response = try await send(request)
        return try naming(request) {
            try reader.read(ChangeFeedResponse.self, from: response, mapping: routes.changesBody)
        }
    }

    /// Asks the server where its feed ends.
    public func getLatestCursor() async throws -> Int64 {
        let request = APIRequest(.get, routes.latestCursorPath)
        let response = try await send(request)
        return try naming(request) {
            try reader.read(Cursor.self, from: response, mapping: routes.latestCursorBody).cursor
        }
    }

    /// Asks for the server's health, without a token.
    ///
    /// - Throws: `APIError.notAServer` for an answer that no server of this protocol gives there; `http` with status
    ///   503 if the server says that it is not well; `unauthorized` for 401, which a gateway answers to everything
    ///   while its sign-in service is down.
    public func checkHealth() async throws {
        _ = try await health()
    }

    /// Makes sure that a server of this protocol answers, before somebody entrusts a password to it.
    ///
    /// A health answer alone proves little: many servers say `{"status":"ok"}`. So the answer names the server, or, as
    /// deployed servers do not, a route of the records answers without a token as it has to: it refuses in JSON or in
    /// plain text, or tells the cursor. A gateway that wants a key refuses every path so, and the sign-in page of a
    /// network may answer every path alike. So a path that the protocol does not have has to be answered with 404.
    ///
    /// - Throws: `APIError.notAServer` where neither is so; what ``checkHealth()`` throws.
    public func checkIdentity() async throws {
        if try await health()["server"]?.stringValue == Self.serverName { return }
        let request = APIRequest(.get, routes.latestCursorPath)
        let response = try await sendOpenly(request)
        let isRefused =
            response.status == 401 && ContentType(response.header("Content-Type")).isOfRefusal
            && ProblemDetails(refusal: response, mapping: routes.problemBody).saysWhy
        let isAnswered =
            response.status == 200
            && (try? reader.read(Cursor.self, from: response, mapping: routes.latestCursorBody)) != nil
        guard isRefused || isAnswered else { throw foreign(response, to: request) }
        let absent = APIRequest(.get, Self.absentPath)
        let answer = try await sendOpenly(absent)
        if answer.status != 404 { throw foreign(answer, to: absent) }
    }

    /// The error of an answer that no server of this protocol gives; of a busy or failing one its own.
    private func foreign(_ response: TransportResponse, to request: APIRequest) -> APIError {
        if [407, 408, 425, 429].contains(response.status) || response.status >= 500 { return reader.refusal(response) }
        let outage =
            "; if it is right, the server's sign-in service, or a proxy before it, may be out of order: try again later"
        return APIError.notAServer(
            "its health check says no more than that it is well, and it answered \(response.status) to "
                + "\(routes.basePath)\(request.path), not as a Trendy server; check the address"
                + (response.status == 401 ? outage : ""))
    }

    /// A path that no server of this protocol has.
    private static let absentPath = "/3e8c1f5b7a90"

    /// What our server calls itself in its health answer.
    private static let serverName = "trendy"

    private func health() async throws -> [String: JSONValue] {
        var request = APIRequest(.get, routes.healthPath)
        request.isBesideBasePath = true
        let response = try await sendOpenly(request)
        if (400..<500).contains(response.status), ![401, 407, 408, 413, 425, 429].contains(response.status) {
            throw APIError.notAServer("its health check answered \(response.status)")
        }
        try reader.check(response)
        return try requireHealthy(response)
    }

    /// Reads the server's clock from the `Date` of its health route, without a token; nil where it sends none.
    public func serverTime() async throws -> Timestamp? {
        var request = APIRequest(.get, routes.healthPath)
        request.isBesideBasePath = true
        let response = try await sendOpenly(request)
        try reader.check(response)
        return response.header("Date").flatMap { HTTPDate.timestamp($0, now: clock.now()) }
    }

    private func requireHealthy(_ response: TransportResponse) throws -> [String: JSONValue] {
        guard response.status == 200 else {
            throw APIError.notAServer("its health check answered \(response.status)")
        }
        let answer: [String: JSONValue]
        do {
            answer = try reader.read(JSONValue.self, from: response, mapping: routes.healthBody).objectValue ?? [:]
        } catch APIError.malformedResponse(let reason) {
            throw APIError.notAServer("its health check answered something else: \(reason)")
        }
        guard let status = answer["status"]?.stringValue else {
            throw APIError.notAServer("its health check says no status")
        }
        guard status == "ok" else {
            throw APIError.notAServer("its health check says '\(status.prefix(100))' instead of 'ok'")
        }
        return answer
    }
}

extension ContentType {
    /// Whether servers of this protocol refuse so: deployed ones have some refusals in plain text.
    fileprivate var isOfRefusal: Bool {
        if case .other("text/plain") = self { true } else { isJSON }
    }
}

/// The answer to the question for the latest cursor.
private struct Cursor: Decodable {
    let cursor: Int64
}
