import TrendyDomain

extension DataStoreContract {
    static let versionChecks = [
        Check("a set of records is put in, read by ids and taken out; ids that are not there are passed over") {
            factory in
            let ids = (0..<5).map(ContractSamples.id)
            let records = ids.map { whole(ContractItem(id: $0, name: "n", ownerId: ContractSamples.id(900))) }
            var changed = records[1]
            changed.entity.name = "changed"
            changed.unknown = [:]
            try factory.saving { store in
                try store.upsert(contentsOf: records)
                try store.upsert(LocalRecord(ContractSamples.fullEvent))
                try store.upsert(contentsOf: [changed])
                try store.upsert(contentsOf: [LocalRecord<ContractItem>]())
            }
            let asked = [ids[3], ids[1], "none", ids[1], ContractSamples.id(77), ContractSamples.fullEvent.id]
            try factory.reading { store in
                let found = try store.fetch(ContractItem.self, ids: asked)
                try expectEqual(found, [ids[1]: changed, ids[3]: records[3]], "the records that are there")
                try expectEqual(try store.fetch(ContractItem.self, ids: []), [:], "those of no ids")
            }
            try factory.saving { try $0.delete(ContractItem.entityType, ids: asked) }
            try factory.reading { store in
                let left = try store.fetch(ContractItem.self, where: nil)
                try expectEqual(left, [records[0], records[2], records[4]], "what is left")
                try expectEqual(store.count(ContractItem.self), 3, "the number of what is left")
                try expectEqual(store.count(Event.self), 1, "records of another kind")
            }
        },
        Check("a set of ids may be of any size") { factory in
            let ids = (0..<40_000).map(ContractSamples.id)
            try factory.saving { store in
                try store.upsert(LocalRecord(ContractItem(id: ids[39_999], name: "n"), syncStatus: .synced))
                try store.mark(ContractItem.entityType, ids: ids)
            }
            try factory.saving { store in
                let kind = ContractItem.entityType
                try expectEqual(store.fetch(ContractItem.self, ids: ids).count, 1, "records")
                try expectEqual(store.standings(kind, ids: ids).count, 1, "standings")
                try expectEqual(store.bases(kind, ids: ids).count, 0, "bases")
                try expectEqual(store.openMutations(kind, ids: ids).count, 0, "mutations")
                try expectEqual(store.unmarkedIds(kind, after: nil, limit: 9), [], "ids that are not marked")
                try store.delete(kind, ids: ids)
                try expectEqual(store.count(ContractItem.self), 0, "records afterwards")
            }
        },
        Check("standings say the status and the revisions of the records that are there") { factory in
            let ids = (0..<3).map(ContractSamples.id)
            try factory.saving { store in
                for (id, status) in zip(ids, SyncStatus.allCases) {
                    try store.upsert(whole(ContractItem(id: id, name: "n"), status))
                }
                try store.upsert(LocalRecord(ContractItem(id: ids[2], name: "n")))
            }
            try factory.reading { store in
                let found = try store.standings(ContractItem.entityType, ids: ids + ["none", ContractSamples.id(9)])
                let expected = [
                    ids[0]: RecordStanding(syncStatus: .pending, revision: 7, createdRevision: 3),
                    ids[1]: RecordStanding(syncStatus: .synced, revision: 7, createdRevision: 3),
                    ids[2]: RecordStanding(syncStatus: .pending, revision: 0, createdRevision: 0),
                ]
                try expectEqual(found, expected, "the standings")
            }
        },
        Check("ids of records whose field has a value are listed in order, up to a limit") { factory in
            let items = (0..<5).map { number in
                ContractItem(
                    id: ContractSamples.id(number), name: number == 3 ? "" : "n",
                    ownerId: number == 1 ? nil : ContractSamples.id(900))
            }
            try factory.saving { try $0.upsert(contentsOf: items.reversed().map { LocalRecord($0) }) }
            try factory.reading { store in
                func ids(_ field: String, _ value: String, _ limit: Int = 9) throws -> [String] {
                    let condition = FieldCondition(field, equals: value)
                    return try store.ids(ContractItem.entityType, where: condition, limit: limit)
                }
                let owner = ContractSamples.id(900)
                try expectEqual(ids("owner_id", owner), [0, 2, 3, 4].map(ContractSamples.id), "of one owner")
                try expectEqual(ids("owner_id", owner, 2), [0, 2].map(ContractSamples.id), "the first two")
                try expectEqual(ids("owner_id", owner, 0), [], "none of them")
                try expectEqual(ids("owner_id", ContractSamples.id(901)), [], "of an owner that has none")
                try expectEqual(ids("name", ""), [ContractSamples.id(3)], "with an empty name")
                try expectEqual(ids("id", ContractSamples.id(2)), [ContractSamples.id(2)], "by id")
            }
        },
        Check("confirm takes what the server says, leaves everything else, and makes no record") { factory in
            let (full, minimal) = (ContractSamples.fullItem, ContractSamples.minimalItem)
            let said = ServerFields(updatedAt: Timestamp(milliseconds: 77))
            try factory.saving { store in
                try store.upsert(contentsOf: [whole(full), LocalRecord(minimal)])
                try store.confirm(
                    ContractItem.entityType,
                    [
                        RecordConfirmation(id: full.id, revision: 9, server: said),
                        RecordConfirmation(id: "none", revision: 9),
                        RecordConfirmation(
                            id: minimal.id, revision: 8, createdRevision: 8, server: ContractSamples.server),
                    ])
            }
            try factory.reading { store in
                var expected = whole(full, .synced)
                expected.revision = 9
                expected.server.updatedAt = said.updatedAt
                try expectEqual(try store.find(ContractItem.self, id: full.id), expected, "a record in full")
                let other = LocalRecord(
                    minimal, server: ContractSamples.server, syncStatus: .synced, revision: 8, createdRevision: 8)
                try expectEqual(try store.find(ContractItem.self, id: minimal.id), other, "one that was new")
                try expectEqual(store.count(ContractItem.self), 2, "the number of records")
            }
        },
        Check("voidRevisions makes all revisions negative, once, or 0, and changes nothing else") { factory in
            let base = RecordBase(
                .event, id: ContractSamples.id(1), document: ["a": 1], isDeleted: true, revision: 5, createdRevision: 4)
            try factory.saving { store in
                try store.upsert(whole(ContractSamples.fullEvent, .pending))
                try store.upsert(whole(ContractSamples.fullItem, .synced))
                try store.putBases([base])
            }
            for (keepingFormer, sign) in [(true, Int64(-1)), (true, -1), (false, 0)] {
                try factory.saving { try $0.voidRevisions(keepingFormer: keepingFormer) }
                try factory.reading { store in
                    try expectEqual(
                        try store.fetch(Event.self, where: nil),
                        [voided(whole(ContractSamples.fullEvent, .pending), sign)], "records of one kind")
                    try expectEqual(
                        try store.fetch(ContractItem.self, where: nil),
                        [voided(whole(ContractSamples.fullItem, .synced), sign)], "records of another")
                    var expected = base
                    (expected.revision, expected.createdRevision) = (sign * 5, 0)
                    try expectEqual(try store.bases(.event, ids: [base.id]), [base.id: expected], "bases")
                }
            }
        },
    ]

    private static func voided<Entity: SyncEntity>(
        _ record: LocalRecord<Entity>, _ sign: Int64
    ) -> LocalRecord<Entity> {
        var record = record
        (record.revision, record.createdRevision) = (sign * record.revision, 0)
        return record
    }
}
