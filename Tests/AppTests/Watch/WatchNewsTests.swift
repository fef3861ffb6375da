import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

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
