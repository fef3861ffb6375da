public import TrendyDomain

extension APIClient {
    /// Sends an exchange: one request, one answer.
    ///
    /// - Throws: `APIError`; `http` with status 404, before anything is sent, where the backend has no route for it.
    public func exchange(_ request: SyncRequest) async throws -> SyncResponse {
        guard let path = routes.exchangePath else { throw APIError.noExchange }
        var outgoing = APIRequest(.post, path, body: try BodyMapping.encode { try request.json() })
        // Each of its changes has a key.
        outgoing.isRepeatable = true
        outgoing.changesNothing = request.mutations.isEmpty
        let response = try await send(outgoing)
        return try naming(outgoing) {
            try reader.read(response) { json in
                try (try? SyncResponse(parsing: json)) ?? WireCoding.decode(SyncResponse.self, from: json)
            }
        }
    }
}
