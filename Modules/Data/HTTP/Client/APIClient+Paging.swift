import TrendyDomain

extension APIClient {
    /// Fetches page after page, each by the name that the one before gives, and puts them together.
    ///
    /// - Parameters:
    ///   - first: The request of the first page.
    ///   - parameter: The parameter that takes the name of a page.
    ///   - keys: Where an answer has the name of the next page.
    func follow<Entity: SyncEntity>(
        _ first: APIRequest, _ parameter: String, _ keys: [String], mapping: BodyMapping?
    ) async throws -> ListPage<Entity> {
        var whole = ListPage<Entity>(records: [])
        var seen: Set<String> = []
        var request = first
        while true {
            let response = try await send(request)
            let page = try naming(request) {
                try reader.read(ListPage<Entity>.self, from: response, mapping: mapping)
            }
            whole.records += page.records
            whole.undecodable += page.undecodable
            guard let next = Self.nextPage(try reader.decode(JSONValue.self, from: response), keys) else {
                return whole
            }
            guard seen.insert(next).inserted else {
                throw APIError.malformedResponse("the list names the page '\(next.prefix(100))' twice")
            }
            request = first
            request.query.append((parameter, next))
        }
    }

    /// What an answer names as its next page; nil in the last one.
    private static func nextPage(_ body: JSONValue, _ keys: [String]) -> String? {
        let value = keys.reduce(body) { $0.objectValue?[$1] ?? .null }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .integer(let number): return String(number)
        default: return nil
        }
    }
}
