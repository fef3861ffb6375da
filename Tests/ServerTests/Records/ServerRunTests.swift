import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The run of a server")
struct ServerRunTests {
    private let run = ServerRun(SeededRandomSource(seed: 1))

    private func note(_ userId: String, _ head: Int) {
        run.note(AccountHistory(epoch: "e", head: Int64(head), run: "r"), of: userId)
    }

    private func reached(_ userId: String) -> EndedRun? { run.standing(of: userId).reached }

    @Test("remembers how far it has come in the accounts that were written last, and forgets the others")
    func bounded() {
        let last = 3 * ServerRun.crowd
        for number in 0...last {
            note("\(number)", 1)
            note("ann", number)
        }
        #expect(reached("0") == nil && reached("\(ServerRun.crowd / 2)") == nil)
        #expect(reached("\(last - ServerRun.crowd / 2)") == EndedRun(name: "r", last: 1))
        #expect(reached("ann") == EndedRun(name: "r", last: Int64(last)))
    }

    @Test("takes another name once, for all who find at the same time that what it wrote is lost")
    func renewal() {
        let name = run.standing(of: "ann").name
        note("ann", 7)
        let next = run.renew(after: name)
        note("bob", 8)
        #expect(next != name && run.renew(after: name) == next && run.standing(of: "ann").name == next)
        #expect(reached("ann") == nil && reached("bob") == EndedRun(name: "r", last: 8))
    }
}
