import Foundation
import TrendyConformance
import TrendyData
import TrendyDomain
import TrendyTerminal

/// Brings the requests of the rules to a server over HTTP.
struct ConformanceTransport: Sendable {
    private let base: String
    private let transport: any HTTPTransport

    init(server: ServerAddress, configuration: TransportConfiguration) {
        base = server.description
        transport = standardTransport(configuration: configuration)
    }

    /// Why there is no answer.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    func send(_ request: WireRequest) async throws -> WireAnswer {
        guard let url = URL(string: base + request.path), let method = HTTPMethod(rawValue: request.method.rawValue)
        else { throw Failure(description: "\(base + request.path) is no URL") }
        do {
            let answer = try await transport.send(
                TransportRequest(method: method, url: url, headers: request.headers, body: request.body))
            return WireAnswer(status: answer.status, headers: answer.headers, body: answer.body)
        } catch APIError.cancelled {
            throw CancellationError()
        } catch APIError.connection(let reason) {
            throw Failure(description: CommandFailure.readable(reason))
        } catch let error as APIError {
            throw Failure(description: error.description)
        }
    }
}

extension CommandFailure {
    init(conformance error: ConformanceError) {
        switch error {
        case .unreachable: self.init(.unavailable, "\(error); check the address and the network, then try again")
        case .notAServer: self.init(.unavailable, "\(error); check the address")
        case .signInRefused: self.init(.signIn, "\(error); check both")
        case .sameAccount: self.init(.usage, "\(error); --other-email must name another account than --email")
        case .noAccount: self.init(.signIn, "\(error); give an account with --email ADDRESS")
        case .unknownRule: self.init(.usage, "\(error); 'trendy conformance --list' lists them")
        }
    }
}
