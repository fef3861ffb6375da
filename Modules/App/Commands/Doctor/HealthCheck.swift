/// One question of `trendy doctor`. Another check is another value in ``all``.
struct HealthCheck: Sendable {
    /// What it looks at, in one word.
    let name: String
    /// Looks, and mends nothing. What it throws counts as a problem of its own.
    let look: @MainActor @Sendable (CommandContext) async throws -> [HealthFinding]

    /// All checks, in their order: what others stand on comes first.
    static let all: [HealthCheck] = [.graph, .folders, .files, .store, .signIn, .server]

    @MainActor
    func findings(in context: CommandContext) async -> [HealthFinding] {
        do { return try await look(context) } catch { return [.problem(error)] }
    }
}
