import Foundation
import TrendyData
import TrendyDomain

/// Makes clients for servers that are known only when they are needed.
struct APIClientFactory: Sendable {
    let configuration: TrendyConfiguration
    let clock: any WallClock

    /// A client for a server, with the given credentials.
    func makeClient(_ server: ServerAddress, _ credentials: any CredentialStore) -> APIClient {
        APIClient(
            server: server, credentials: credentials,
            transport: standardTransport(configuration: configuration.transport), device: Self.device, clock: clock)
    }

    /// What the list of sign-ins shows of this device: `trendy/0.1.0 (laptop)`. A header takes visible ASCII alone.
    private static let device: String = {
        let host = ProcessInfo.processInfo.hostName.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0))
        }
        return "trendy/\(TrendyVersion.current)" + (host.isEmpty ? "" : " (\(host.prefix(64)))")
    }()

    /// The name of the server of the present sign-in, or of the last one.
    var serverNameOfSignIn: String? { (try? SignIn.load(configuration))?.server?.description }

    /// A client for the server of the present sign-in.
    func makeClientOfSignIn() throws(APIError) -> APIClient {
        let signIn: SignIn
        do { signIn = try SignIn.load(configuration) } catch { throw APIError.unauthorized("\(error)") }
        guard let server = signIn.server else { throw APIError.unauthorized("no server is set") }
        return makeClient(server, signIn.credentials)
    }
}

extension TrendyConfiguration {
    /// The bounds of requests: the time in all is twice that of silence.
    var transport: TransportConfiguration {
        guard let timeout else { return TransportConfiguration() }
        return TransportConfiguration(idleTimeout: .seconds(timeout), totalTimeout: .seconds(2 * timeout))
    }
}
