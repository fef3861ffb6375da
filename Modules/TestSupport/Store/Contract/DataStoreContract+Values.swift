import TrendyDomain

extension DataStoreContract {
    static let valueChecks = [
        Check("text comes back exactly: empty, with NUL, with combining marks, very long") { factory in
            let texts = [
                "", " ", "\0", "a\0b", "e\u{301}", "é", "🏳️‍🌈", "\r\n", String(repeating: "long ", count: 40_000),
            ]
            try roundTrip(factory, texts) { text, item in
                item.name = text
                item.tags = [text]
            } expecting: { found, text in
                // Compared as bytes: Swift counts é in its two spellings as equal.
                Array(found.name.utf8) == Array(text.utf8) && found.tags.map { Array($0.utf8) } == [Array(text.utf8)]
            }
        },
        Check("numbers come back exactly") { factory in
            let numbers = [
                0, 0.1, -0.1, 3, 1e300, -1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, 1e15 + 0.3,
                9_007_199_254_740_992,
            ]
            try roundTrip(factory, numbers) {
                $1.ratio = $0
            } expecting: {
                $0.ratio == $1
            }
            try roundTrip(factory, [Int.min, -1, 0, 1, .max]) {
                $1.amount = $0
            } expecting: {
                $0.amount == $1
            }
        },
        Check("a number that is none is refused, or comes back as it was; it never becomes another value") { factory in
            let store = try factory.makeDataStore()
            let item = ContractItem(id: "a", name: "", ratio: .nan)
            do { try store.upsert(LocalRecord(item)) } catch is StoreError { return }
            let found = try store.find(ContractItem.self, id: "a")?.entity.ratio
            try expect(found?.isNaN == true, "NaN was stored as \(String(describing: found))")
        },
        Check("moments come back to the millisecond, over the whole range") { factory in
            let moments: [Timestamp] = [
                .earliest, Timestamp(milliseconds: -1), Timestamp(milliseconds: 0),
                Timestamp(milliseconds: 1_763_600_000_999), .latest,
            ]
            try roundTrip(factory, moments) {
                $1.madeAt = $0
            } expecting: {
                $0.madeAt == $1
            }
        },
        Check("collections come back: absent, empty and filled are three things") { factory in
            let sizes: [[String: Int]?] = [nil, [:], ["a": 1, "": -1]]
            try roundTrip(factory, sizes) {
                $1.sizes = $0
            } expecting: {
                $0.sizes == $1
            }
        },
        Check("a default value of any JSON type comes back as that type") { factory in
            let values: [JSONValue] = [
                true, false, 1, 0, -7, 1.5, "text", "true", "1", "null", "", [], ["a", 1, nil], ["k": ["n": 1.25]],
            ]
            for (number, value) in values.enumerated() {
                var definition = ContractSamples.fullDefinition
                definition.id = ContractSamples.id(number)
                definition.defaultValue = value
                try factory.saving { try $0.upsert(LocalRecord(definition)) }
                let found = try factory.reading { try $0.find(PropertyDefinition.self, id: definition.id) }
                try expectEqual(found?.entity.defaultValue, value, "the default value")
            }
        },
    ]

    private static func roundTrip<Value>(
        _ factory: any DataStoreFactory, _ values: [Value], set: (Value, inout ContractItem) -> Void,
        expecting isSame: (ContractItem, Value) -> Bool
    ) throws {
        for (number, value) in values.enumerated() {
            var item = ContractItem(id: ContractSamples.id(number), name: "")
            set(value, &item)
            try factory.saving { try $0.upsert(LocalRecord(item)) }
            let found = try factory.reading { try $0.find(ContractItem.self, id: item.id)?.entity }
            try expect(found.map { isSame($0, value) } ?? false, "\(value) came back as \(String(describing: found))")
        }
    }
}
