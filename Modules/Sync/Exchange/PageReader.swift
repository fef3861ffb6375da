import TrendyDomain

/// Receives changes page by page and applies nothing of them, in pages of a size that passes.
///
/// If a page does not come through, the reader asks for one change alone, unless the server asks for time. If that comes, the
/// page was too large, and the next one is half as large.
struct PageReader {
    let cycle: SyncCycle
    let gateway: any SyncGateway
    /// How many changes the next page asks for.
    private(set) var window: RequestWindow

    init(_ cycle: SyncCycle, _ gateway: any SyncGateway, window: RequestWindow) {
        (self.cycle, self.gateway, self.window) = (cycle, gateway, window)
    }

    /// - Returns: A page, or a refusal that concerns the cursor, or that smaller pages meet as well.
    /// - Throws: ``CycleStop``.
    mutating func read(epoch: String?, cursor: String?) async throws -> Result<SyncResponse, Refusal> {
        let most = cycle.configuration.changesPerPage
        // The gateway to the older routes divides what is asked for by itself.
        let limit = gateway.dividesExchange(from: cursor) ? most : min(most, window.size)
        let isSmallest = limit <= 1 || gateway.dividesExchange(from: cursor)
        let answer = try await receive(SyncRequest(epoch: epoch, cursor: cursor, limit: limit), isSmallest: isSmallest)
        switch answer {
        case .success(let (page, time)):
            // A request for less than the window says nothing of it.
            if limit >= window.size, !gateway.dividesExchange(from: page.cursor) {
                window.passed(limit, isFull: page.more, in: time, atMost: SyncRequest.changeLimit)
            }
        case .failure(let refusal) where !isSmallest && refusal.mayBeOfSize:
            let smallest = try await receive(SyncRequest(epoch: epoch, cursor: cursor, limit: 1), isSmallest: true)
            if case .success(let (page, _)) = smallest, page.more, !gateway.dividesExchange(from: page.cursor) {
                window.refused(limit)
            }
            return smallest.map(\.page)
        case .failure: break
        }
        return answer.map(\.page)
    }

    private func receive(
        _ request: SyncRequest, isSmallest: Bool
    ) async throws -> Result<(page: SyncResponse, time: Duration), Refusal> {
        let (gateway, clock) = (gateway, cycle.clock)
        let result = try await cycle.send(mayBeTooMuch: !isSmallest, provesHealth: \.answer.provesHealth) {
            try await clock.timing { try await gateway.exchange(request) }
        }
        return result.map { ($0.answer.response, $0.time) }
    }
}

extension Refusal {
    /// Whether a smaller page may come through.
    fileprivate var mayBeOfSize: Bool { problem.resync == nil && problem.retryAfter == nil }
}
