import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyApp

@Suite("When a watch syncs")
struct WatchScheduleTests {
    private let start = ManualWallClock.defaultStart
    private var schedule = WatchSchedule(interval: 60)

    private func after(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }

    @Test("at once, and then every interval")
    mutating func interval() {
        #expect(schedule.isDue(at: start, heldUntil: nil, mark: [:]))
        schedule.synced(at: start, heldUntil: nil, pending: 0, mark: [:])
        #expect(!schedule.isDue(at: after(59), heldUntil: nil, mark: [:]))
        #expect(schedule.isDue(at: after(60), heldUntil: nil, mark: [:]))
    }

    @Test("soon after something was queued, but not again for what could not go")
    mutating func localChanges() {
        schedule.synced(at: start, heldUntil: nil, pending: 1, mark: [.queued: 1, .accepted: 3])
        #expect(!schedule.isDue(at: after(1), heldUntil: nil, mark: [.queued: 1, .accepted: 3]))
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: [.queued: 2, .accepted: 3]))
        // An edit that was merged into what waits already.
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: [.queued: 1, .accepted: 3, .merged: 1]))
        // What others have settled is no reason to sync.
        #expect(!schedule.isDue(at: after(1), heldUntil: nil, mark: [.accepted: 4]))
    }

    @Test("again at once for what was queued while the sync was ending")
    mutating func meanwhile() {
        schedule.synced(at: start, heldUntil: nil, pending: 0, mark: [.queued: 1])
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: [.queued: 1]))
    }

    @Test("never while it is held back, but for the first time, and as soon as it is not")
    mutating func held() {
        #expect(schedule.isDue(at: start, heldUntil: after(5), mark: [.queued: 1]))
        schedule.synced(at: start, heldUntil: after(4), pending: 0, mark: [:])
        #expect(!schedule.isDue(at: after(3), heldUntil: after(4), mark: [.queued: 1]))
        #expect(schedule.isDue(at: after(4), heldUntil: nil, mark: [:]))
        schedule.synced(at: after(4), heldUntil: after(304), pending: 0, mark: [:])
        #expect(!schedule.isDue(at: after(100), heldUntil: after(304), mark: [:]))
    }

    @Test("a clock that is set back does not stop it")
    mutating func clockSetBack() {
        schedule.synced(at: after(1000), heldUntil: nil, pending: 0, mark: [:])
        #expect(schedule.isDue(at: start, heldUntil: nil, mark: [:]))
    }
}

@Suite("What a watch tells")
struct WatchNewsTests {
    /// Which of the reports, in this order, are told.
    private func told(_ reports: SyncReport...) -> [Bool] {
        var news = WatchNews()
        return reports.map { news.isNews($0) }
    }

    @Test("the first sync, and each that moved something")
    func moves() {
        let quiet = SyncReport()
        #expect(
            told(quiet, quiet, SyncReport(pushed: 1), SyncReport(pulled: 1), quiet) == [true, false, true, true, false])
    }

    @Test("trouble once when it begins, and once when it has ended")
    func trouble() {
        let lost = SyncReport(failure: .unreachable, error: "after 1 ms")
        let stillLost = SyncReport(failure: .unreachable, error: "after 2 ms")
        let limited = SyncReport(failure: .rateLimited)
        #expect(told(lost, stillLost, limited, SyncReport(), SyncReport()) == [true, false, true, true, false])
        let refused = SyncReport(parked: 1)
        #expect(told(SyncReport(), refused, refused, SyncReport()) == [true, true, false, true])
    }

    @Test("once why a sync could not begin")
    func notBegun() {
        var news = WatchNews()
        let told = (0..<2).map { _ in news.isNews(CommandFailure.signIn("gone")) }
        #expect(told == [true, false])
        #expect(self.told(SyncReport()) == [true])
    }
}
