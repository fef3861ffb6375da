import Synchronization
import TrendyDomain

extension ConformanceRule {
    private static let writers = 6
    private static let eventsPerWriter = 5

    /// Writes from several tasks while one follows the feed by its cursor, and compares what that one has seen with
    /// what was written.
    static func checkConcurrentWriters(_ probe: Probe) async throws {
        let type = try await probe.makeType()
        let cursor = try await latest(probe)
        let flag = Flag()
        async let followed = follow(probe, from: cursor, until: flag)
        let written: Set<String>
        do {
            written = try await write(probe, type)
        } catch {
            flag.raise()
            _ = try? await followed
            throw error
        }
        flag.raise()
        let seen = try await followed
        let missed = written.subtracting(seen)
        if missed.isEmpty { return }
        let (late, page) = try await appearing(probe, missed, since: cursor)
        guard late.isSuperset(of: missed) else {
            throw RuleBroken("\(missed.subtracting(late).count) of \(written.count) changes are not in the feed", page)
        }
        probe.deviates(
            .feedEntriesComeLate, "\(missed.count) entries appeared behind the cursor of one who followed the feed",
            page)
    }

    private static func write(_ probe: Probe, _ type: String) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<writers {
                group.addTask {
                    var ids: [String] = []
                    for _ in 0..<eventsPerWriter { ids.append(try await probe.makeEvent(type)) }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0.formUnion($1) }
        }
    }

    /// Follows the feed until the writers are done and nothing more comes; gives the ids of the records seen.
    private static func follow(
        _ probe: Probe, from start: Int64, until flag: Flag
    ) async throws -> Set<String> {
        var cursor = start
        var seen: Set<String> = []
        while true {
            // Read before the page, so that a page after the last write is still asked for.
            let mayEnd = flag.isRaised
            let page = try await page(probe, since: cursor, limit: 8)
            let changes = page["changes"].elements
            seen.formUnion(changes.compactMap { $0["entity_id"].stringValue?.lowercased() })
            cursor = try page.integer("next_cursor")
            if mayEnd, page["has_more"] != true { return seen }
            // A pause between questions keeps below the server's limit of requests.
            if changes.isEmpty { try await probe.scene.wait(seconds: 0.05) }
        }
    }

    /// Which of these records are in the feed after all, asking again for a while; and the last page.
    private static func appearing(
        _ probe: Probe, _ missed: Set<String>, since cursor: Int64
    ) async throws -> (Set<String>, Answer) {
        var found: Set<String> = []
        for seconds in [0, 0.5, 1, 2, 4, 8] {
            if seconds > 0 { try await probe.scene.wait(seconds: seconds) }
            let changes = try await entries(probe, since: cursor)
            found.formUnion(changes.compactMap { $0["entity_id"].stringValue?.lowercased() })
            if found.isSuperset(of: missed) { break }
        }
        return (found, try await page(probe, since: cursor, limit: 500))
    }
}

/// Says to one task that others are done.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
}
