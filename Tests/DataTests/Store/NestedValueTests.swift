import Foundation
import Testing
import TrendyData
import TrendyDomain

/// A kind with fields of every sort that a column cannot hold by itself.
private struct Odd: SyncEntity {
    struct Part: Codable, Hashable, Sendable {
        var a: String
        var b: [Int?]
        var c: [String: [Part]]
        var d: UInt64
        var e: Float
    }

    enum Level: Int, Codable { case low = 1, high = 7 }

    static let entityType: EntityType = "odd"
    static let fields = CodingKeys.allCases.map(\.stringValue)

    var id: String
    var part: Part?
    var parts: [Part] = []
    var level: Level = .low
    var data = Data()
    var url: URL?
    var date: Date?
    var pairs: [Int: String] = [:]
    var small: UInt8 = 255
    var single: Float = 1.5

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, part, parts, level, data, url, date, pairs, small, single
    }
}

@Suite("Fields that are no plain column")
struct NestedValueTests {
    @Test("come back as they were put in")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let make = StoreMigration("odd-1") {
            try $0.createTable(
                for: Odd.self,
                [
                    .json("part"), .json("parts"), .integer("level"), .json("data"), .json("url"), .json("date"),
                    .json("pairs"), .integer("small"), .real("single"),
                ])
        }
        let factory = LocalStoreFactory(
            path: folder.path("trendy.sqlite"), schema: try EntitySchema([Odd.self]), migrations: [make])
        let leaf = Odd.Part(a: "\u{1}\"\\/\u{2028}é", b: [nil, -1, .max], c: ["": []], d: .max, e: -0.25)
        let part = Odd.Part(a: "", b: [], c: ["z": [leaf, leaf], "a": []], d: 0, e: 3)
        let odd = Odd(
            id: "a", part: part, parts: [leaf, part], level: .high, data: Data([0, 255]),
            url: URL(string: "https://example.org/a?b=c/d"), date: Date(timeIntervalSinceReferenceDate: 0.125),
            pairs: [3: "c", 1: "a"])
        try factory.saving { store in
            try store.upsert(LocalRecord(odd))
            try store.upsert(LocalRecord(Odd(id: "b")))
        }
        let store = try factory.makeDataStore()
        #expect(try store.find(Odd.self, id: "a")?.entity == odd)
        #expect(try store.find(Odd.self, id: "b")?.entity == Odd(id: "b"))
    }
}
