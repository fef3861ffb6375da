import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@Suite("What a watch tells")
struct WatchNewsTests {
    /// What is told of the reports, in this order.
    private func told(_ reports: SyncReport...) -> [WatchNews.News] {
        var news = WatchNews()
        return reports.map { news.take($0) }
    }

    @Test("each sync that moved something, and no other")
    func moves() {
        let quiet = SyncReport()
        #expect(
            told(quiet, SyncReport(pushed: 1), SyncReport(pulled: 1), quiet, SyncReport(bootstrapped: true))
                == [.nothing, .movement, .movement, .nothing, .movement])
    }

    @Test("trouble once when it begins, and once when it has ended")
    func trouble() {
        let lost = SyncReport(failure: .unreachable, error: "after 1 ms")
        let stillLost = SyncReport(failure: .unreachable, error: "after 2 ms")
        let limited = SyncReport(failure: .rateLimited)
        #expect(
            told(lost, stillLost, limited, SyncReport(pulled: 1), SyncReport())
                == [.trouble, .nothing, .trouble, .end, .nothing])
        let refused = SyncReport(parked: 1)
        #expect(told(SyncReport(), refused, refused, SyncReport()) == [.nothing, .trouble, .nothing, .end])
    }

    @Test("a new reason of the same kind of trouble, but not one with other figures")
    func reasons() {
        func failed(_ error: String) -> SyncReport { SyncReport(failure: .unreachable, error: error) }
        let (lost, down) = (failed("cannot reach the server: after 1 ms"), failed("the server answered 503: down"))
        #expect(
            told(lost, failed("cannot reach the server: after 2 ms"), down, down, SyncReport())
                == [.trouble, .nothing, .trouble, .nothing, .end])
    }

    @Test("on the status line whether the connection, the certificate or the server is at fault")
    func kindsOfTrouble() {
        func trouble(_ error: APIError) -> String {
            WatchStatus.trouble(of: SyncReport(failure: .unreachable, error: error.description))
        }
        #expect(trouble(.timeout) == "server not reachable" && trouble(.connection("x")) == "server not reachable")
        #expect(trouble(.http(status: 503, problem: ProblemDetails(detail: "down"))) == "the server failed")
        #expect(trouble(.untrusted(.selfSigned)).contains("certificate"))
    }

    @Test("what the server's clock holds back, when that begins and ends, without telling other trouble again")
    func early() {
        var (early, both) = (SyncReport(), SyncReport(parked: 1))
        (early.early, both.early) = (1, 1)
        #expect(told(SyncReport(), early, early, SyncReport()) == [.nothing, .movement, .nothing, .movement])
        #expect(told(SyncReport(failure: .unreachable), early) == [.trouble, .end])
        #expect(told(SyncReport(parked: 1), both) == [.trouble, .nothing])
        var status = WatchStatus()
        (status.synced, status.left, status.isEarly) = ("12:03:10", ["1 change waiting for the server's clock"], true)
        #expect(
            status.text(columns: 100, .unicode)
                == "synced 12:03:10 · 1 change waiting for the server's clock · Ctrl-C ends it")
    }

    @Test("the end of a trouble also where conflicts are left, whose settlement ends none")
    func conflicts() {
        let conflict = SyncReport(conflicts: 1)
        let lost = SyncReport(conflicts: 1, failure: .unreachable)
        #expect(told(conflict, lost, conflict, SyncReport()) == [.movement, .trouble, .end, .movement])
    }

    @Test("once why a sync could not begin, and once that syncs begin again")
    func notBegun() {
        var news = WatchNews()
        let told = (0..<2).map { _ in news.take(CommandFailure.signIn("gone")) } + [news.take(SyncReport())]
        #expect(told == [.trouble, .nothing, .end])
    }

    @Test("what was sent and received in a line, without what there is none of")
    func changes() {
        let changes = { (report: SyncReport) in SyncReportText(report: report).movement.joined(separator: ", ") }
        #expect(changes(SyncReport()) == "")
        #expect(changes(SyncReport(pulled: 2)) == "received 2 changes from another device")
        #expect(changes(SyncReport(pushed: 1, pulled: 1)) == "sent 1 change, received 1 change from another device")
        #expect(changes(SyncReport(pulled: 5, bootstrapped: true, placed: 5)) == "fetched 5 records (full sync)")
        #expect(changes(SyncReport(pending: 2, bootstrapped: true)) == "")
    }

    @Test("how it stands, in one line")
    func status() {
        var status = WatchStatus()
        #expect(status.text(columns: 80, .ascii) == "syncing - Ctrl-C ends it")
        status.synced = "12:03:10"
        status.movement = ["sent 1 change"]
        #expect(status.text(columns: 58, .unicode) == "in sync · synced 12:03:10 · sent 1 change · Ctrl-C ends it")
        #expect(status.text(columns: 57, .unicode) == "in sync · synced 12:03:10 · sent 1 change")
        #expect(status.text(columns: 20, .unicode) == "in sync · synced 12…")
        status.asking = WatchStatus.asking(every: 60)
        #expect(
            status.text(columns: 80, .unicode) == "synced 12:03:10, asks every minute · sent 1 change · Ctrl-C ends it")
        status.asking = nil
        status.left = ["1 refused"]
        #expect(status.text(columns: 80, .unicode) == "in sync · synced 12:03:10 · 1 refused · Ctrl-C ends it")
        status.trouble = WatchStatus.silence
        #expect(
            status.text(columns: 100, .unicode)
                == "not in sync · the server does not answer · synced 12:03:10 · Ctrl-C ends it")
        (status.trouble, status.nextTry) = (WatchStatus.trouble(of: SyncReport(failure: .unreachable)), "12:05:00")
        #expect(
            status.text(columns: 100, .unicode)
                == "not in sync · server not reachable · next try 12:05:00 · synced 12:03:10 · Ctrl-C ends it")
    }

    @Test("how often a server is asked that tells nothing, and what is wrong without that")
    func asking() {
        let texts = [1, 5, 60, 90, 300, 3_600, 86_400].map { WatchStatus.asking(every: $0) }
        #expect(
            texts == [
                "asks every second", "asks every 5 seconds", "asks every minute", "asks every 90 seconds",
                "asks every 5 minutes", "asks every hour", "asks every 24 hours",
            ])
        var status = WatchStatus()
        status.asking = texts[2]
        #expect(status.text(columns: 80, .ascii) == "syncing - Ctrl-C ends it")
        (status.synced, status.trouble) = ("12:03:10", WatchStatus.silence)
        #expect(
            status.text(columns: 100, .unicode)
                == "not in sync · the server does not answer · synced 12:03:10 · Ctrl-C ends it")
    }
}
