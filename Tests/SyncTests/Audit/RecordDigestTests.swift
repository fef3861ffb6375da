import Testing
import TrendyTestSupport

@testable import TrendySync

@Suite("The digest of a set of records")
struct RecordDigestTests {
    @Test(
        "has the published value of FNV-1a",
        arguments: [("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964")])
    func vectors(_ text: String, _ expected: String) {
        #expect(String(RecordDigest.hash(text.utf8), radix: 16) == expected)
    }

    @Test("does not depend on the order, and tells sets apart")
    func sets() throws {
        let items = (0..<3).map { ContractItem(id: testId($0), name: "item \($0)") }
        var (forwards, backwards, fewer) = (RecordDigest(), RecordDigest(), RecordDigest())
        for item in items { try forwards.add(item) }
        for item in items.reversed() { try backwards.add(item) }
        for item in items.dropLast() { try fewer.add(item) }
        #expect(forwards == backwards && forwards != fewer)
        #expect(forwards.description.count == 32 && RecordDigest().description == String(repeating: "0", count: 32))
        var rest = RecordDigest()
        try rest.add(items[2])
        fewer.add(rest)
        #expect(fewer == forwards)
    }
}
