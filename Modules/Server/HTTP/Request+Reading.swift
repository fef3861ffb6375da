import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TrendyDomain

extension Request {
    /// The whole body.
    ///
    /// - Throws: ``ServerProblem`` where it is larger than the limit or says that it is no JSON. A body
    ///   without a content type is taken for JSON.
    func json(upTo limit: Int, _ context: ServerRequestContext) async throws -> Data {
        if let type = headers[.contentType], !Self.isJSON(type) {
            throw ServerProblem(.unsupportedMediaType, "the body must be application/json, not \(type)")
        }
        let tooLarge = ServerProblem(.tooLarge, "the body is larger than \(limit) bytes")
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        if headers[.expect] != nil { try? await context.channel.triggerUserOutboundEvent(BodyWanted()).get() }
        do {
            var data = Data()
            for try await part in body {
                guard data.count + part.readableBytes <= limit else { throw tooLarge }
                try context.takeBody(part.readableBytes)
                data.append(contentsOf: part.readableBytesView)
            }
            return data
        } catch let problem as ServerProblem {
            throw problem
        } catch {
            // A broken chunk, or a client that went away: never the server's failure.
            throw ServerProblem(
                .badRequest, "the body ended before it was complete, or is not framed as its headers say")
        }
    }

    /// The body as a value.
    ///
    /// - Parameter fields: The members that it has; others are ignored.
    func decode<Value: Decodable>(
        _ type: Value.Type, fields: [String], upTo limit: Int, _ context: ServerRequestContext
    ) async throws -> Value {
        try JSONBody.decode(type, from: await json(upTo: limit, context), fields: fields)
    }

    /// A number in the query.
    ///
    /// - Throws: ``ServerProblem`` where it is no whole number or smaller than the minimum. A larger one
    ///   than the maximum is taken for the maximum.
    func number(_ name: String, from minimum: Int64, to maximum: Int64 = .max) throws -> Int64? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int64(text) else { throw ServerProblem.field(name, "must be a whole number") }
        guard number >= minimum else {
            throw ServerProblem.field(name, "must not be less than \(minimum)", code: "out_of_range")
        }
        return min(number, maximum)
    }

    /// True or false in the query.
    func flag(_ name: String) throws -> Bool? {
        switch uri.queryParameters[Substring(name)] {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        default: throw ServerProblem.field(name, "must be true or false")
        }
    }

    /// The token in the Authorization header.
    func bearerToken() throws -> String {
        guard let header = headers[.authorization] else {
            throw ServerProblem(.unauthorized, "the Authorization header with a Bearer token is missing")
        }
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw ServerProblem(.unauthorized, "the Authorization header holds no Bearer token")
        }
        return String(parts[1])
    }

    private static func isJSON(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return essence == "application/json" || essence.hasSuffix("+json") || essence.isEmpty
    }
}
