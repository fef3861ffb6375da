import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("Ids under which records go on")
struct PresentIdsTests {
    private func move(_ former: String, to present: String) -> FormerId {
        FormerId(RecordKey(.event, former), presentId: present, isMerged: true, since: ManualWallClock.defaultStart)
    }

    @Test("are followed from one change to the next, and an end is found also where these lead back")
    func chains() {
        let ids = PresentIds([move("x", to: "o"), move("o", to: "p")])
        #expect(ids.present("x", of: .event) == "p" && ids.present("p", of: .event) == "p")
        #expect(ids.present("x", of: .eventType) == "x")
        let ring = PresentIds([move("x", to: "o"), move("o", to: "x")])
        #expect(["x", "o"].contains(ring.present("x", of: .event)))
    }
}
