public import TrendyDomain
public import TrendySync

/// Brings the list and the server together.
public protocol SyncService: Sendable {
    /// Sends what waits and receives what others have done; the report says how that went.
    func sync() async -> SyncReport

    /// How many changes wait to be sent.
    func pendingCount() async throws -> Int
}

/// The sync of the shopping list: the engine's, unchanged.
public struct ShoppingSyncService: SyncService {
    private let engine: SyncEngine

    /// Makes a service over an engine.
    public init(engine: SyncEngine) {
        self.engine = engine
    }

    public func sync() async -> SyncReport { await engine.performSync() }

    public func pendingCount() async throws -> Int { try await engine.getPendingCount() }
}

/// A service that does nothing and reports what it was told to, for previews and tests.
public actor MockSyncService: SyncService {
    /// How often a sync was asked for.
    public private(set) var syncCount = 0
    private var report: SyncReport

    /// Makes a service whose syncs end with this report.
    public init(report: SyncReport = SyncReport()) {
        self.report = report
    }

    /// Says how the syncs from now on end.
    public func setReport(_ report: SyncReport) { self.report = report }

    public func sync() -> SyncReport {
        syncCount += 1
        return report
    }

    public func pendingCount() -> Int { report.pending }
}
