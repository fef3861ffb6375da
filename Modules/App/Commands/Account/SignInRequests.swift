import TrendyData
import TrendyDomain
import TrendySync

/// The requests of a sign-in, which nobody is known for yet.
///
/// A pause that the store remembers is one that a server asked the owner of its records for: it holds for this sign-in
/// where that is the owner's own, and for nobody else's.
@MainActor
struct SignInRequests {
    private let engine: SyncEngine
    private let isUnderPause: Bool
    private let command: String

    /// - Parameter command: What the person typed, for advice.
    init(of email: String, at address: ServerAddress, command: String, in context: CommandContext) throws {
        engine = try context.root.engine
        self.command = command
        let owner = try context.ownership.owner()
        isUnderPause = owner.map { $0.server == address.description && $0.email ?? email == email } ?? true
    }

    /// Sends a request, unless the server wants silence of this person.
    func send<Answer: Sendable>(_ request: @Sendable () async throws -> Answer) async throws -> Answer {
        do {
            return try await isUnderPause ? engine.underBreaker(request) : request()
        } catch APIError.rateLimited(let seconds) {
            let pause = seconds.map { " for \(DurationText.text($0.rounded(.up)))" } ?? ""
            throw CommandFailure(
                .tryLater,
                "the server wants no requests\(pause); wait, or ask all the same with 'trendy \(command) --now'")
        }
    }
}
