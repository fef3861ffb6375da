import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

@MainActor
extension CommandContext {
    /// The changes that wait for the server's clock.
    var earlyMutations: [PendingMutation] {
        get throws {
            let (clock, now) = (try root.engine.serverClock(), now)
            return try reader.mutations(MutationQuery(states: [.queued], operations: [.create]))
                .filter { clock.holdsBack($0, at: now) }
        }
    }

    /// Those that wait until a known time. Only these can be sent under another id.
    var datedEarlyMutations: [PendingMutation] {
        get throws {
            let (clock, now) = (try root.engine.serverClock(), now)
            return try earlyMutations.filter { clock.waitEnd(of: $0, at: now) != nil }
        }
    }

    /// That a change waits for the server's clock; nil if it does not.
    func early(_ mutation: PendingMutation, _ clock: ServerClock) -> QueuedMutation.Early? {
        guard clock.holdsBack(mutation, at: now) else { return nil }
        guard let end = clock.waitEnd(of: mutation, at: now) else { return QueuedMutation.Early() }
        let isFar = end.seconds(since: now) > QueuedMutation.longestEarlyWait
        return QueuedMutation.Early(end: end, text: process.zone.minuteText(end), isFar: isFar)
    }
}

extension QueuedMutation {
    /// After so many seconds nobody waits for the server's clock: a day.
    fileprivate static let longestEarlyWait = 86_400.0
}
