import Testing
import TrendySimulator

@Suite("Step lists")
struct StepListTests {
    @Test(
        "a list reads what it writes",
        arguments: [[], [1], [3, 17, 18, 19, 20, 95], [1, 2], [1, 3, 5], Array(1...40) + [1000]] as [[Int]])
    func roundTrip(_ numbers: [Int]) throws {
        let list = StepList(numbers)
        #expect(list.numbers == numbers)
        #expect(try #require(StepList(list.description)).numbers == numbers)
    }

    @Test("runs are written as their ends")
    func runsAreShort() {
        #expect(StepList([95, 3, 17, 18, 19, 20]).description == "3,17-20,95")
    }

    @Test("what is no list is refused", arguments: ["x", "3-", "5-3", "0", "1-2-3", "-4", "1,,x"])
    func refusesNonsense(_ text: String) {
        #expect(StepList(text) == nil)
    }
}
