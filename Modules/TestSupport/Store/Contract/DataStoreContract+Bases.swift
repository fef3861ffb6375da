import TrendyDomain

extension DataStoreContract {
    static let baseChecks = [
        Check("bases come back as they were put in, are replaced and taken out, each kind for itself") { factory in
            let ids = (0..<4).map(ContractSamples.id)
            let bases = [
                RecordBase(.event, id: ids[0], document: ContractSamples.unknown, revision: 5, createdRevision: 2),
                RecordBase(.event, id: ids[1], document: nil, isDeleted: true, revision: .max),
                RecordBase(.event, id: ids[2], document: [:], isDeleted: true, revision: 0),
                RecordBase(.eventType, id: ids[0], document: ["name": "other"], revision: 6),
            ]
            try factory.saving { store in
                try store.putBases([RecordBase(.event, id: ids[0], document: ["old": 1], isDeleted: true, revision: 4)])
                try store.putBases(bases)
                try store.putBases([])
            }
            try factory.reading { store in
                let found = try store.bases(.event, ids: ids + ["none"])
                try expectEqual(found, Dictionary(uniqueKeysWithValues: bases[..<3].map { ($0.id, $0) }), "of a kind")
                try expectEqual(try store.bases(.eventType, ids: ids), [ids[0]: bases[3]], "of another kind")
                try expectEqual(try store.bases(.geofence, ids: ids), [:], "of a kind without any")
                try expectEqual(store.count(Event.self), 0, "records that they made")
            }
            try factory.saving { try $0.deleteBases(.event, ids: [ids[0], ids[2], ids[3], "none"]) }
            try factory.reading { store in
                try expectEqual(try store.bases(.event, ids: ids), [ids[1]: bases[1]], "what is left")
                try expectEqual(try store.bases(.eventType, ids: ids), [ids[0]: bases[3]], "of the other kind")
            }
        },
        Check("bases are found by a text in a field, in the order of the ids") { factory in
            let owner = ContractSamples.id(900)
            func base(_ number: Int, _ owner: JSONValue?, isDeleted: Bool = false) -> RecordBase {
                let document = owner.map { ["owner_id": $0, "name": "900"] }
                return RecordBase(
                    "contract_item", id: ContractSamples.id(number), document: document, isDeleted: isDeleted,
                    revision: 1)
            }
            try factory.saving { store in
                try store.putBases([
                    base(5, .string(owner)), base(1, .string(owner)), base(2, .string(owner), isDeleted: true),
                    base(3, .null), base(4, nil), base(6, .string("900")), base(7, 900), base(8, ["900"]),
                    base(9, .string("[\"900\"]")),
                ])
            }
            try factory.reading { store in
                func ids(_ field: String, _ value: String) throws -> [String] {
                    try store.baseIds("contract_item", where: FieldCondition(field, equals: value))
                }
                try expectEqual(ids("owner_id", owner), [1, 2, 5].map(ContractSamples.id), "of one owner")
                try expectEqual(ids("owner_id", "900"), [ContractSamples.id(6)], "of one that a number looks like")
                try expectEqual(ids("owner_id", "[\"900\"]"), [ContractSamples.id(9)], "of one that a list looks like")
                try expectEqual(ids("none", owner), [], "of a field that no document has")
                try expectEqual(
                    try store.baseIds(.event, where: FieldCondition("owner_id", equals: owner)), [], "another kind")
            }
        },
    ]

    static let markChecks = [
        Check("what is not marked is listed, records and bases alike, in the order of the ids and in pages") {
            factory in
            let ids = (0..<8).map(ContractSamples.id)
            let kind = ContractItem.entityType
            try factory.saving { store in
                try store.upsert(contentsOf: [0, 2, 3, 5].map { LocalRecord(ContractItem(id: ids[$0], name: "n")) })
                try store.putBases([1, 2, 6].map { RecordBase(kind, id: ids[$0], document: nil, revision: 1) })
                try store.mark(.event, ids: ids)
            }
            func unmarked(after id: String? = nil, limit: Int = 9) throws -> [String] {
                try factory.reading { try $0.unmarkedIds(kind, after: id, limit: limit) }
            }
            try expectEqual(unmarked(), [0, 1, 2, 3, 5, 6].map { ids[$0] }, "before any mark")
            try factory.saving { store in
                try store.mark(kind, ids: [ids[0], ids[6], ids[7]])
                try store.mark(kind, ids: [ids[0]])
                try store.mark(kind, ids: [])
            }
            try expectEqual(unmarked(), [1, 2, 3, 5].map { ids[$0] }, "what is not marked")
            try expectEqual(unmarked(limit: 2), [ids[1], ids[2]], "the first page")
            try expectEqual(unmarked(after: ids[2], limit: 2), [ids[3], ids[5]], "the next one")
            try expectEqual(unmarked(after: ids[5]), [], "the last one")
            try expectEqual(unmarked(limit: 0), [], "a page of nothing")
            try factory.saving { try $0.clearMarks() }
            try expectEqual(unmarked(after: ids[4]), [ids[5], ids[6]], "when the marks are gone")
            let others = try factory.saving { store in
                try store.upsert(LocalRecord(ContractSamples.fullEvent))
                return try store.unmarkedIds(.event, after: nil, limit: 9)
            }
            try expectEqual(others, [ContractSamples.fullEvent.id], "of the other kind")
        }
    ]

}
