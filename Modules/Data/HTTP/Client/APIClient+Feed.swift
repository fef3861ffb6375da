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
        var request = APIRequest(.get, routes.healthPath)
        request.isBesideBasePath = true
        let response = try await sendOpenly(request)
        if (400..<500).contains(response.status), ![401, 408, 413, 425, 429].contains(response.status) {
            throw APIError.notAServer("its health check answered \(response.status)")
        }
        try reader.check(response)
        try requireHealthy(response)
    }

    /// Reads the server's clock from the `Date` of its health route, without a token; nil where it sends none.
    public func serverTime() async throws -> Timestamp? {
        var request = APIRequest(.get, routes.healthPath)
        request.isBesideBasePath = true
        let response = try await sendOpenly(request)
        try reader.check(response)
        return response.header("Date").flatMap(HTTPDate.timestamp)
    }

    private func requireHealthy(_ response: TransportResponse) throws {
        guard response.status == 200 else {
            throw APIError.notAServer("its health check answered \(response.status)")
        }
        let status: String?
        do {
            let answer = try reader.read(JSONValue.self, from: response, mapping: routes.healthBody)
            status = answer.objectValue?["status"]?.stringValue
        } catch APIError.malformedResponse(let reason) {
            throw APIError.notAServer("its health check answered something else: \(reason)")
        }
        guard let status else { throw APIError.notAServer("its health check says no status") }
        guard status == "ok" else {
            throw APIError.http(
                status: 503, problem: ProblemDetails(status: 503, detail: "it says that it is '\(status.prefix(100))'"))
        }
    }
}

/// The answer to the question for the latest cursor.
private struct Cursor: Decodable {
    let cursor: Int64
}
