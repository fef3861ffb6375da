import TrendyDomain

extension DataStoreContract {
    /// Ids of every form, in their order: all texts before all UUIDs in lower case, both by their bytes.
    private static let ids = [
        "0", "0123456789abcdef", "019AB000-0000-7000-8000-000000000001", "019ab000-0000-7000-8000-00000000000g",
        "019ab000-0000-7000-8000-0000000000011", "019ab00000007000-8000-0000-000000000001",
        "019ab000000070008000000000000001", "A", "Zoë", "a", "zz", "ÿ",
        "00000000-0000-0000-0000-000000000000", "019ab000-0000-7000-8000-000000000001",
        "a9ab0000-0000-1000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ].sorted(by: IdOrder.precedes)

    static let idChecks = [
        Check("ids of every form come back exactly, in the order of all stores, wherever they stand") { factory in
            let kind = ContractItem.entityType
            try factory.saving { store in
                for id in ids.reversed() {
                    try store.upsert(LocalRecord(ContractItem(id: id, name: id, ownerId: id)))
                    try store.putBases([RecordBase(kind, id: id, document: ["id": .string(id)], revision: 1)])
                }
            }
            try factory.reading { store in
                let all = try store.fetch(ContractItem.self, where: nil)
                try expectEqual(all.map(\.id), ids, "the ids of records")
                try expectEqual(all.map(\.entity.ownerId), ids, "their references")
                for (place, id) in ids.enumerated() {
                    try expectEqual(store.find(ContractItem.self, id: id)?.id, id, "a record by its id")
                    let owned = try store.ids(kind, where: FieldCondition("owner_id", equals: id), limit: 9)
                    try expectEqual(owned, [id], "the records of a parent")
                    let named = try store.ids(kind, where: FieldCondition("name", equals: id), limit: 9)
                    try expectEqual(named, [id], "the records of a name that looks like an id")
                    let rest = Array(ids[(place + 1)...])
                    let page = try store.fetch(ContractItem.self, after: id, limit: 99)
                    try expectEqual(page.map(\.id), rest, "the records that follow \(id)")
                    try expectEqual(store.unmarkedIds(kind, after: id, limit: 99), rest, "the ids that follow \(id)")
                }
            }
        },
        Check("ids of every form are found in sets") { factory in
            let kind = ContractItem.entityType
            try factory.saving { store in
                for id in ids {
                    try store.upsert(LocalRecord(ContractItem(id: id, name: id)))
                    try store.putBases([RecordBase(kind, id: id, document: nil, revision: 1)])
                    try store.insertMutation(ContractSamples.mutation(id, kind))
                }
            }
            try factory.reading { store in
                for id in ids {
                    try expectEqual(Array(store.fetch(ContractItem.self, ids: [id]).keys), [id], "records")
                    try expectEqual(Array(store.standings(kind, ids: [id]).keys), [id], "standings")
                    try expectEqual(Array(store.bases(kind, ids: [id]).keys), [id], "bases")
                    let open = try store.openMutations(kind, ids: [id])
                    try expectEqual(open.map(\.entityId), [id], "mutations")
                    try expectEqual(open.map(\.clientRequestId), ["key-\(id)-create"], "their keys")
                }
            }
            try factory.saving { store in
                try store.mark(kind, ids: [ids[0], ids[ids.count - 1]])
                let rest = Array(ids.dropFirst().dropLast())
                try expectEqual(store.unmarkedIds(kind, after: nil, limit: 99), rest, "what is not marked")
                try store.delete(kind, ids: rest)
                try store.deleteBases(kind, ids: rest)
                let left = try store.fetch(ContractItem.self, where: nil).map(\.id)
                try expectEqual(left, [ids[0], ids[ids.count - 1]], "what is left")
                try expectEqual(store.bases(kind, ids: ids).count, 2, "the bases that are left")
            }
        },
        Check("the idempotency key of a mutation comes back exactly, a UUID and any other text") { factory in
            for key in ids {
                let mutation = PendingMutation(
                    clientRequestId: key, entityType: .event, operation: .create, entityId: "a",
                    createdAt: Timestamp(milliseconds: 1))
                let id = try factory.saving { try $0.insertMutation(mutation).id }
                let found = try factory.reading { try $0.findMutation(id: id) }
                try expectEqual(found?.clientRequestId, key, "the key")
            }
        },
    ]
}
