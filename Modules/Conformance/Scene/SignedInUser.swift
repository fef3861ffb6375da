import Synchronization
import TrendyDomain

/// A signed-in user of the server, and what the run made in his name.
final class SignedInUser: Sendable {
    struct Session: Sendable {
        var accessToken: String
        var refreshToken: String
        var userId: String
    }

    let login: ConformanceTarget.Login
    /// Whether the run made the account.
    let isNew: Bool
    let made: MadeRecords
    let scene: Scene
    private let session: Mutex<Session>

    init(_ scene: Scene, _ login: ConformanceTarget.Login, _ session: Session, isNew: Bool) {
        self.scene = scene
        self.login = login
        self.isNew = isNew
        self.session = Mutex(session)
        made = MadeRecords(marker: scene.marker)
    }

    var userId: String { session.withLock { $0.userId } }

    /// Whether two sign-ins are of one user, however the address was written.
    func isSame(as other: SignedInUser) -> Bool {
        userId.isEmpty ? login.email.lowercased() == other.login.email.lowercased() : userId == other.userId
    }

    var token: String { session.withLock { $0.accessToken } }

    // MARK: Requests

    func get(_ path: String) async throws -> Answer { try await send(Scene.request(.get, path)) }

    func post(_ path: String, _ body: JSONValue, key: String? = nil) async throws -> Answer {
        try await send(Scene.request(.post, path, body), key: key)
    }

    func put(_ path: String, _ body: JSONValue, key: String? = nil) async throws -> Answer {
        try await send(Scene.request(.put, path, body), key: key)
    }

    func delete(_ path: String, key: String? = nil) async throws -> Answer {
        try await send(Scene.request(.delete, path), key: key)
    }

    /// Sends a request in the user's name.
    ///
    /// A token that is refused and then accepted again is noted as an outage of the sign-in service; one that has
    /// ended is replaced by signing in again.
    func send(_ request: WireRequest, key: String? = nil, waits: Bool = true) async throws -> Answer {
        var request = request
        if let key { request.headers["Idempotency-Key"] = key }
        made.expect(request)
        var answer = try await attempt(request, waits)
        if answer.status == 401 { answer = try await insist(request, refused: answer, waits) }
        made.note(answer)
        if request.method == .delete, answer.isSuccess { noteDeletion(request.path) }
        return answer
    }

    private func attempt(_ request: WireRequest, _ waits: Bool) async throws -> Answer {
        var request = request
        request.headers["Authorization"] = "Bearer \(token)"
        return try await scene.send(request, waits: waits)
    }

    private func insist(_ request: WireRequest, refused: Answer, _ waits: Bool) async throws -> Answer {
        for seconds in [1.0, 2, 4] {
            try await scene.wait(seconds: seconds)
            let answer = try await attempt(request, waits)
            if answer.status != 401 {
                let reason = "\(refused.name) with a good token was answered 401, and then \(answer.status)"
                scene.notes.add(.outageLooksLikeSignedOut, reason, [refused, answer])
                return answer
            }
        }
        let renewed = try await scene.signIn(login)
        session.withLock { $0 = renewed }
        return try await attempt(request, waits)
    }

    private func noteDeletion(_ path: String) {
        let parts = path.dropFirst(Scene.basePath.count).split(separator: "/")
        guard parts.count == 2, let kind = MadeRecord.Kind(rawValue: "/\(parts[0])") else { return }
        made.noteDeletion(of: MadeRecord(kind: kind, id: parts[1].lowercased()))
    }

    func signOut() async { _ = try? await scene.send(withToken(Scene.request(.post, "/auth/logout"))) }

    private func withToken(_ request: WireRequest) -> WireRequest {
        var request = request
        request.headers["Authorization"] = "Bearer \(token)"
        return request
    }
}
