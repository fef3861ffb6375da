import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Docs/ErrorRecovery.md")
struct ErrorRecoveryDocumentTests {
    let document: Document
    init() throws { document = try Document(named: "ErrorRecovery.md") }

    @Test("its table of errors has the rows of the tested table")
    func rows() throws {
        let rows = try document.table("row", "error", "breaker", "attempts", "what happens")
        expectSame(documented: Set(rows.map { $0[0] }), code: Set(ErrorRow.allCases.map(\.rawValue)))
    }

    @Test("its table of ends says how a cycle ends for each row and request")
    func ends() throws {
        let requests = CycleRequest.allCases.map(\.rawValue)
        let header = try #require(document.lines.first { $0.hasPrefix("| row \\ request") })
        let columns = header.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
        #expect(columns.dropFirst().map { $0.replacing("`", with: "") } == requests)
        let documented = try document.table("row \\ request")
        let code = ErrorRow.allCases.map { row in
            [row.rawValue] + CycleRequest.allCases.map { ExpectedEnd(row, $0).summary }
        }
        expectSame(documented: Set(documented), code: Set(code))
    }

    @Test("its table of pauses is the breaker's")
    func pauses() throws {
        let rows = try document.table("trip", "pause in s")
        let documented = try rows.map { [try #require(Int($0[0])), try #require(Int($0[1]))] }
        #expect(documented.count > 5 && documented.last?.last == documented.dropLast().last?.last)
        var breaker = CircuitBreaker()
        var now = ManualWallClock.defaultStart
        for trip in 1...documented.count {
            while breaker.trips < trip { breaker.refused(retryAfter: nil, at: now) }
            let pause = try #require(breaker.remaining(at: now))
            #expect(documented[trip - 1] == [trip, Int(pause)])
            #expect(Backoff.rateLimit(trips: trip) == pause)
            now = now.advanced(bySeconds: pause)
        }
        #expect(try document.table("breaker's number", "value").map { $0[1] } == ["\(CircuitBreaker.tripsAfter)"])
    }

    @Test("its table of pauses after lost connections is the backoff's")
    func connectionPauses() throws {
        let rows = try document.table("failures", "shortest in s", "longest in s")
        let code = (1...rows.count).map { failures in
            let pauses = [UInt64.max, 0].map { Backoff.connection(failures: failures, random: Constant(value: $0)) }
            return ["\(failures)"] + pauses.map { "\(Int($0.rounded()))" }
        }
        #expect(rows.map { Array($0.prefix(3)) } == code)
        #expect(rows.count > 9 && rows.last?[2] == "300")
    }

    @Test("its table of numbers is the configuration")
    func numbers() throws {
        let configuration = Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: SyncConfiguration()).children.map {
                ($0.label ?? "", "\($0.value)")
            })
        let rows = try document.table("number", "default", "what for")
        #expect(rows.count >= 6)
        for row in rows { #expect(configuration[row[0]] == row[1], "\(row[0])") }
    }
}

/// Randomness that is always the same.
private struct Constant: RandomSource {
    var value: UInt64
    func next() -> UInt64 { value }
}
