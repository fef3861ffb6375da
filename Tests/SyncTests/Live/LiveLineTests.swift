import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("When the stream of heads is opened again")
struct LiveLineTests {
    private let random = SeededRandomSource(seed: 3)

    private func pauses(_ end: LiveLine.End, _ count: Int) -> [Double] {
        var line = LiveLine()
        return (0..<count).map { _ in line.pause(after: end, random: random) }
    }

    private func expect(_ pauses: [Double], about full: [Double]) {
        for (pause, full) in zip(pauses, full) { #expect((full / 2...full).contains(pause), "\(pause), \(full)") }
    }

    @Test("soon after it was lost, later where that happens again, at most a minute later")
    func lost() {
        expect(pauses(.lost, 9), about: [1, 2, 4, 8, 16, 32, 60, 60, 60])
    }

    @Test("later where no head came, at most ten minutes later")
    func heldBack() {
        expect(pauses(.heldBack, 7), about: [30, 60, 120, 240, 480, 600, 600])
    }

    @Test("in five to ten minutes where there is no such route")
    func unsupported() {
        expect(pauses(.unsupported, 3), about: [600, 600, 600])
    }

    @Test("never before the moment that the server has asked for")
    func refused() {
        for pause in pauses(.refused(retryAfter: 90), 20) { #expect((90...150).contains(pause)) }
        expect(pauses(.refused(retryAfter: 0), 3), about: [2, 4, 8])
    }

    @Test("soon again after a stream that has lasted, and at no moment that others share")
    func spread() {
        var line = LiveLine()
        for _ in 0..<5 { _ = line.pause(after: .lost, random: random) }
        line.lasts()
        #expect(line.pause(after: .lost, random: random) <= 1)
        #expect(Set((0..<20).flatMap { _ in pauses(.lost, 1) }).count == 20)
    }

    @Test("by what its errors mean")
    func errors() {
        let refusal = { (status: Int) in APIError.http(status: status, problem: ProblemDetails(retryAfter: 7)) }
        #expect([404, 405, 406, 501].map { LiveLine.End(refusal($0)) }.allSatisfy { $0 == .unsupported })
        #expect([500, 502, 503].map { LiveLine.End(refusal($0)) }.allSatisfy { $0 == .refused(retryAfter: 7) })
        #expect(LiveLine.End(APIError.rateLimited(retryAfter: 9)) == .refused(retryAfter: 9))
        #expect(LiveLine.End(APIError.notAServer("a page")) == .unsupported)
        #expect(LiveLine.End(APIError.malformedResponse("x")) == .unsupported)
        #expect(LiveLine.End(APIError.timeout) == .heldBack)
        #expect(LiveLine.End(APIError.connection("gone")) == .lost)
        #expect(LiveLine.End(APIError.unauthorized("gone")) == .refused(retryAfter: 60))
    }
}
