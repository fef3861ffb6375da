import Foundation
import TrendyConformance
import TrendyData

func carry(_ request: WireRequest, to server: String, over transport: any HTTPTransport) async throws -> WireAnswer {
    guard let url = URL(string: server + request.path), let method = HTTPMethod(rawValue: request.method.rawValue)
    else { throw URLError(.badURL) }
    let answer = try await transport.send(
        TransportRequest(method: method, url: url, headers: request.headers, body: request.body))
    return WireAnswer(status: answer.status, headers: answer.headers, body: answer.body)
}

func makeTarget(
    _ server: String, wait: @escaping @Sendable (Duration) async throws -> Void
) -> ConformanceTarget {
    let transport = standardTransport()
    return ConformanceTarget(send: { try await carry($0, to: server, over: transport) }, wait: wait)
}
