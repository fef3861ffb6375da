public import TrendyDomain

/// Gets a new access token with a refresh token.
struct TokenRenewal: Sendable {
    /// Nil where the backend cannot renew a token.
    let path: String?
    let mapping: BodyMapping?
    let sender: RequestSender
    let reader: ResponseReader
    let clock: any WallClock

    /// New credentials in place of the old.
    ///
    /// - Throws: `APIError.unauthorized` if the server refuses. ``NoRenewal`` if there is no refresh token or no route.
    ///   `APIError.rateLimited` if the server asks for time. ``SignInServiceFailure`` if it fails otherwise; any other
    ///   error if nobody answered. Each proves that the request which needs the token had no effect: it was answered
    ///   with a refusal, and does not go again.
    func renewed(_ old: Credentials) async throws -> Credentials {
        guard let path, let refreshToken = old.refreshToken else { throw NoRenewal() }
        let body = try BodyMapping.encode(["refresh_token": refreshToken.value], mapping: mapping)
        do {
            let response = try await sender.send(APIRequest(.post, path, body: body), token: nil)
            // A web page comes from another site, as during a deployment.
            let isAbsent = [404, 405, 501].contains(response.status)
            if isAbsent, !isPage(response) { throw NoRenewal() }
            if !isAbsent, let refusal = refusal(response) { throw refusal }
            let answer = try reader.read(SignIn.self, from: response, mapping: mapping)
            if let before = old.userId, let now = answer.user?.id, now != before {
                throw SignInServiceFailure("answered for somebody else")
            }
            return answer.credentials(server: old.server, replacing: old, at: clock.now())
        } catch APIError.http(let status, let problem) {
            // Who asks for time gets it, as with 429 (RFC 9110, section 10.2.3).
            if status >= 500, let wait = problem.retryAfter, wait > 0 {
                throw APIError.rateLimited(retryAfter: Double(wait))
            }
            throw SignInServiceFailure("failed (\(status))")
        } catch APIError.timeout {
            throw APIError.notSent("its sign-in service did not answer in time")
        } catch APIError.connection(let reason) {
            throw APIError.notSent(reason)
        } catch APIError.malformedResponse(let reason) {
            throw SignInServiceFailure("failed (\(reason))")
        } catch let error as APIError where error.isUnreadableAnswer {
            throw SignInServiceFailure("failed (\(error))")
        } catch APIError.notAServer(let reason, _, _) {
            throw SignInServiceFailure("is not what answers (\(reason))")
        }
    }

    /// The error of a refusal to renew a token; nil for every other answer.
    ///
    /// Only a refusal in the form of this protocol or of OAuth (RFC 6749, 5.2) ends the sign-in. Any other refusal may pass: a
    /// gateway answers every request with a refusal of its own while its sign-in service is down.
    private func refusal(_ response: TransportResponse) -> APIError? {
        let problem = ProblemDetails(refusal: response, mapping: reader.problemBody)
        guard (400..<500).contains(response.status), !Self.otherwiseMeant.contains(response.status) else { return nil }
        let isFinal = problem.isOfTheSignIn || isInvalidGrant(response)
        return .unauthorized(problem.detail ?? "the sign-in cannot be renewed", mayPass: !isFinal)
    }

    private func isPage(_ response: TransportResponse) -> Bool {
        if case .html = ContentType(response.header("Content-Type")) { true } else { false }
    }

    /// What every request may be answered with: a proxy asks for a sign-in of its own, and a server for time.
    private static let otherwiseMeant: Set = [407, 408, 425, 429]

    private func isInvalidGrant(_ response: TransportResponse) -> Bool {
        let body = try? WireCoding.decode([String: JSONValue].self, from: response.body)
        return body?["error"] == "invalid_grant"
    }
}

/// There is no route that renews a token, or no token for it: nothing but another sign-in follows the end of this one.
struct NoRenewal: Error {}

/// The server rejects the token, and cannot say whether there is another.
///
/// It says nothing of the request that needed the token: no mutation is to blame, and the old credentials stay.
struct SignInServiceFailure: Error {
    private let deed: String

    init(_ deed: String) { self.deed = deed }

    /// How the request that needed the token ends.
    var asRequestError: APIError {
        .unauthorized(APIError.signInServiceFailure + deed, mayPass: true)
    }
}

extension APIError {
    /// How the reason of `APIError.unauthorized` begins where the server's sign-in service has failed, and has refused
    /// nothing.
    public static let signInServiceFailure = "its sign-in service "
}
