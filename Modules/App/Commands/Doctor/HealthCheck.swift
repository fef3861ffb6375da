import Foundation
import TrendyData
import TrendyDomain
import TrendySync

/// One question of `trendy doctor`. Another check is another value in ``all``.
struct HealthCheck: Sendable {
    /// What it looks at, in one word.
    let name: String
    /// Looks, and mends nothing. What it throws counts as a problem of its own; no finding where there is nothing to
    /// look at, for a reason that another check tells.
    let look: @MainActor @Sendable (HealthScene) async throws -> [HealthFinding]

    /// All checks, in their order: what others stand on comes first.
    static let all: [HealthCheck] = [
        .graph, .folders, .settings, .files, .disk, .store, .counts, .references, .signIn, .server, .clock, .access,
        .feed, .queue, .conflicts, .quarantine, .lease,
    ]

    @MainActor
    func findings(in scene: HealthScene) async -> [HealthFinding] {
        do { return try await look(scene) } catch { return [.problem(error)] }
    }
}

/// What the checks of one run share: what one has found out, the next ones need not ask again.
@MainActor
final class HealthScene {
    enum Store {
        /// There is none yet, and to look must not make one.
        case absent
        /// It opens and is whole.
        case sound
        /// It cannot be used.
        case unusable
    }

    let context: CommandContext
    /// Whether what is wrong is to be mended.
    let isRepair: Bool
    var store = Store.unusable
    /// The server of the sign-in, once it has answered.
    var server: ServerAddress?
    /// What it has said of that which this device has received, once it was asked.
    var standing: ServerStanding?

    init(context: CommandContext, isRepair: Bool) {
        self.context = context
        self.isRepair = isRepair
    }
}
