import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The requests of a sign-in: as polite as those of a sync, towards the server that they go to.
@MainActor
struct SignInRequests {
    private let client: APIClient
    private let engine: SyncEngine
    private let command: String

    /// - Parameter command: What the person typed, for advice.
    init(_ client: APIClient, command: String, in context: CommandContext) throws {
        self.client = client
        self.command = command
        engine = try context.root.engine
    }

    /// Ends the server's pause on purpose.
    func endPause() async throws {
        try await engine.resetCircuitBreaker(of: client.serverName)
    }

    /// Sends a request, unless the server wants silence.
    ///
    /// - Parameter provesHealth: False where an answer does not mean that the server takes anything else.
    func send<Answer: Sendable>(
        provesHealth: Bool = true, _ request: @Sendable (APIClient) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await engine.underBreaker(of: client.serverName, provesHealth: provesHealth) {
                try await request(client)
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.text(seconds.rounded(.up))
            let advice = "wait, or ask all the same with 'trendy \(command) --now'"
            throw CommandFailure(.tryLater, "\(client.server) wants no requests for \(pause); \(advice)")
        }
    }
}
