import TrendyDomain

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
    /// - Throws: `APIError.unauthorized` if they cannot be renewed: the server refuses, or, which proves nothing of the
    ///   sign-in, there is no refresh token or no route. ``SignInServiceFailure`` if the server fails; any other error
    ///   if nobody answered. Each proves that the request which needs the token had no effect: it was answered with a
    ///   refusal, and does not go again.
    func renewed(_ old: Credentials) async throws -> Credentials {
        guard let path, let refreshToken = old.refreshToken else {
            throw APIError.unauthorized("the sign-in cannot be renewed", mayPass: true)
        }
        let body = try BodyMapping.encode(["refresh_token": refreshToken.value], mapping: mapping)
        do {
            let response = try await sender.send(APIRequest(.post, path, body: body), token: nil)
            if let refusal = refusal(response) { throw refusal }
            let answer = try reader.read(SignIn.self, from: response, mapping: mapping)
            if let before = old.userId, let now = answer.user?.id, now != before {
                throw SignInServiceFailure("answered for somebody else")
            }
            return answer.credentials(server: old.server, replacing: old, at: clock.now())
        } catch APIError.http(let status, let problem) {
            if (400..<500).contains(status) {
                throw APIError.unauthorized(problem.detail ?? "the sign-in cannot be renewed")
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
        } catch APIError.notAServer(let reason) {
            throw SignInServiceFailure("is not what answers (\(reason))")
        }
    }

    /// A refusal that leaves open whether the sign-in is still good; nil for every other answer.
    ///
    /// It is open where there is no such route, and where a 401 is not the protocol's own: a gateway answers that to
    /// everything while its sign-in service is down.
    private func refusal(_ response: TransportResponse) -> APIError? {
        let problem = ProblemDetails(refusal: response, mapping: reader.problemBody)
        switch response.status {
        case 404, 405, 501: break
        case 401 where !problem.isOfTheSignIn: break
        default: return nil
        }
        return .unauthorized(problem.detail ?? "the sign-in cannot be renewed", mayPass: true)
    }
}

/// The server rejects the token, and cannot say whether there is another.
///
/// It says nothing of the request that needed the token: no mutation is to blame, and the old credentials stay.
struct SignInServiceFailure: Error {
    private let deed: String

    init(_ deed: String) { self.deed = deed }

    /// How the request that needed the token ends.
    var asRequestError: APIError {
        .unauthorized("its sign-in service \(deed)", mayPass: true)
    }
}
