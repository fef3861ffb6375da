import Testing

@testable import TrendyServer

@Suite("Those who wait for a password to be hashed")
struct TurnsTests {
    /// Who is served, in order, of those who have come as (name, address, account).
    private func order(_ turns: inout Turns<String>) -> [String] {
        var names: [String] = []
        while let next = turns.next() {
            names.append(next.work)
            turns.end(next)
        }
        return names
    }

    @Test("are served as they came where nobody has had a turn")
    func arrivals() {
        var turns = Turns<String>()
        for name in ["a", "b", "c"] { #expect(turns.add(name, address: name, account: name) == nil) }
        #expect(order(&turns) == ["a", "b", "c"])
    }

    @Test("wait for one guess from an address that tries out many accounts, and for one at the same address too")
    func oneAddress() {
        var turns = Turns<String>()
        for guess in 0..<14 { _ = turns.add("guess", address: "eve", account: "\(guess / 3)") }
        _ = turns.add("ann", address: "ann", account: "ann")
        _ = turns.add("bob", address: "eve", account: "bob")
        let served = order(&turns)
        #expect(served.firstIndex(of: "ann") == 1)
        #expect(served.count == 16)
    }

    @Test("wait for one guess at an account that many addresses try out")
    func oneAccount() {
        var turns = Turns<String>()
        var refused = 0
        for guess in 0..<40 where turns.add("guess", address: "\(guess)", account: "x") != nil { refused += 1 }
        #expect(refused == 36)
        _ = turns.add("ann", address: "ann", account: "ann")
        #expect(order(&turns) == ["guess", "ann", "guess", "guess", "guess"])
    }

    @Test("have a turn before the second guess of one account from their own address")
    func sharedAddress() {
        var turns = Turns<String>()
        for _ in 0..<4 { _ = turns.add("guess", address: "office", account: "x") }
        _ = turns.add("ann", address: "office", account: "ann")
        #expect(order(&turns).firstIndex(of: "ann") == 1)
    }

    @Test("have to go where there are too many: the last of the address and account that has the most")
    func crowd() {
        var turns = Turns<Int>()
        var refused: [Int] = []
        for guess in 0..<100 {
            if let last = turns.add(guess, address: "eve", account: "\(guess / 4)") { refused.append(last) }
        }
        #expect(refused.count == 84 && turns.count == 16)
    }

    @Test("have to go before anybody who wants less")
    func lastOfTheMost() {
        var turns = Turns<Int>()
        for guess in 0..<16 { #expect(turns.add(guess, address: "eve", account: "\(guess / 4)") == nil) }
        #expect(turns.add(100, address: "eve", account: "ann") == 15)
        for name in 0..<48 { #expect(turns.add(name, address: "\(name)", account: "a\(name)") == nil) }
        #expect(turns.add(200, address: "bob", account: "bob") == 11)
        #expect(turns.count == 64)
    }

    @Test("have their turn however many others come after them")
    func patience() {
        var turns = Turns<String>()
        for _ in 0..<2 { _ = turns.add("ann", address: "ann", account: "ann") }
        var served = 0
        for stranger in 0..<1000 {
            _ = turns.add("new", address: "\(stranger)", account: "\(stranger)")
            guard let next = turns.next() else { break }
            turns.end(next)
            if next.work == "ann" { served += 1 }
        }
        #expect(served == 2)
    }
}
