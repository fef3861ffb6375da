import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("A settled clock")
struct SettledClockTests {
    private let wall = ManualWallClock()
    private let uptime = ManualClock()
    private let start = ManualWallClock.defaultStart

    @Test("tells nothing on the first day, and the time from then on")
    func proving() {
        let clock = SettledClock(wall, uptime: uptime)
        pass(86_399)
        #expect(clock.now() == nil)
        pass(1)
        #expect(clock.now() == start.advanced(bySeconds: 86_400))
    }

    @Test("does not move with a jump ahead, however long it lasts and however often it is read")
    func ahead() {
        let clock = SettledClock(wall, uptime: uptime)
        wall.advance(bySeconds: 1e7)
        for days in 1...30 {
            pass(86_400)
            #expect(clock.now() == start.advanced(bySeconds: Double(days) * 86_400))
        }
    }

    @Test("follows a wall clock that was set back")
    func back() {
        let clock = SettledClock(wall, uptime: uptime)
        pass(2 * 86_400)
        wall.advance(bySeconds: -86_400)
        #expect(clock.now() == wall.now())
    }

    private func pass(_ seconds: Int) {
        wall.advance(bySeconds: Double(seconds))
        uptime.advance(by: .seconds(seconds))
    }
}
