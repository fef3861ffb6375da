import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("When a device that follows syncs")
struct FollowScheduleTests {
    private let start = ManualWallClock.defaultStart
    private var schedule = FollowSchedule(interval: 60)

    private let none = FollowSchedule.QueueMark()

    private func mark(_ queued: Int, merged: Int = 0) -> FollowSchedule.QueueMark {
        FollowSchedule.QueueMark(queued: queued, merged: merged)
    }

    private func after(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }

    @Test("at once, and then every interval")
    mutating func interval() {
        #expect(schedule.isDue(at: start, heldUntil: nil, mark: none))
        schedule.synced(at: start, heldUntil: nil, pending: 0, mark: none)
        #expect(!schedule.isDue(at: after(59), heldUntil: nil, mark: none))
        #expect(schedule.isDue(at: after(60), heldUntil: nil, mark: none))
    }

    @Test("soon after something was queued, but not again for what could not go")
    mutating func localChanges() {
        schedule.synced(at: start, heldUntil: nil, pending: 1, mark: mark(1))
        #expect(!schedule.isDue(at: after(1), heldUntil: nil, mark: mark(1)))
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: mark(2)))
        // An edit that was merged into what waits already.
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: mark(1, merged: 1)))
        // What others have settled is no reason to sync.
        #expect(!schedule.isDue(at: after(1), heldUntil: nil, mark: none))
    }

    @Test("again at once for what was queued while the sync was ending")
    mutating func meanwhile() {
        schedule.synced(at: start, heldUntil: nil, pending: 0, mark: mark(1))
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: mark(1)))
    }

    @Test("never while it is held back, but for the first time, and as soon as it is not")
    mutating func held() {
        #expect(schedule.isDue(at: start, heldUntil: after(5), mark: mark(1)))
        schedule.synced(at: start, heldUntil: after(4), pending: 0, mark: none)
        #expect(!schedule.isDue(at: after(3), heldUntil: after(4), mark: mark(1)))
        #expect(schedule.isDue(at: after(4), heldUntil: nil, mark: none))
        schedule.synced(at: after(4), heldUntil: after(304), pending: 0, mark: none)
        #expect(!schedule.isDue(at: after(100), heldUntil: after(304), mark: none))
    }

    @Test("a clock that is set back does not stop it")
    mutating func clockSetBack() {
        schedule.synced(at: after(1000), heldUntil: nil, pending: 0, mark: none)
        #expect(schedule.isDue(at: start, heldUntil: nil, mark: none))
    }

    @Test("when the server has told of something, once, and not while it is held back")
    mutating func hints() {
        schedule.synced(at: start, heldUntil: nil, pending: 0, mark: none)
        schedule.hint()
        #expect(schedule.isDue(at: after(1), heldUntil: nil, mark: none))
        #expect(!schedule.isDue(at: after(1), heldUntil: after(2), mark: none))
        schedule.began()
        schedule.synced(at: after(2), heldUntil: nil, pending: 0, mark: none)
        #expect(!schedule.isDue(at: after(3), heldUntil: nil, mark: none))
    }

    @Test("again for what is told while it syncs")
    mutating func hintMeanwhile() {
        schedule.began()
        schedule.hint()
        schedule.synced(at: start, heldUntil: nil, pending: 0, mark: none)
        #expect(schedule.isDue(at: start, heldUntil: nil, mark: none))
    }

    @Test("at once where the server has more than one sync takes")
    mutating func more() {
        schedule.synced(at: start, heldUntil: nil, hasMore: true, pending: 0, mark: none)
        #expect(schedule.isDue(at: start, heldUntil: nil, mark: none))
    }

    @Test("knows since when the server is heard again")
    mutating func reached() {
        #expect(!schedule.isReached)
        schedule.reached()
        #expect(schedule.isReached)
        schedule.began()
        #expect(!schedule.isReached)
    }
}
