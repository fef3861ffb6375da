import TrendyDomain

extension DataStoreContract {
    static let stagingChecks = [
        Check("staged records are found, listed by id and replaced, and are no records yet") { factory in
            try factory.saving { store in
                try store.stage([remote(ContractSamples.minimalEvent), remote(ContractSamples.fullEvent)])
                var changed = ContractSamples.minimalEvent
                changed.notes = "second version"
                try store.stage([remote(changed)])
                try store.stage([Remote<Event>]())
            }
            try factory.reading { store in
                let (full, minimal) = (ContractSamples.fullEvent, ContractSamples.minimalEvent)
                try expectEqual(store.stagedIds(Event.self), [full.id, minimal.id], "the staged ids")
                try expectEqual(try store.findStaged(Event.self, id: full.id), remote(full), "a staged record")
                let replaced = try store.findStaged(Event.self, id: minimal.id)
                try expectEqual(replaced?.entity.notes, "second version", "a record staged twice")
                try expectEqual(try store.findStaged(Event.self, id: "none"), nil, "one that is not staged")
                try expectEqual(store.count(Event.self), 0, "records")
            }
        },
        Check("replaceWithStaged makes the records of the kind those that are staged, as synced") { factory in
            try factory.saving { store in
                for number in 0..<4 { try store.upsert(item(number, "old", .pending)) }
                try store.upsert(LocalRecord(ContractSamples.fullEventType))
                try store.stage((2..<6).map { remote(item($0, "new", .synced).entity) })
            }
            try factory.saving { try $0.replaceWithStaged(ContractItem.self, keeping: []) }
            try factory.reading { store in
                let expected = (2..<6).map { LocalRecord(remote(item($0, "new", .synced).entity)) }
                try expectEqual(store.fetch(ContractItem.self, where: nil), expected, "the records")
                try expectEqual(store.stagedIds(ContractItem.self), [], "the staging area")
                try expectEqual(store.count(EventType.self), 1, "records of another kind")
            }
        },
        Check("replaceWithStaged leaves alone what is to be kept, staged or not, there or not") { factory in
            let ids = ContractSamples.id
            try factory.saving { store in
                for number in 0..<4 { try store.upsert(item(number, "old", .pending)) }
                try store.stage([1, 3, 4, 5].map { remote(item($0, "new", .synced).entity) })
                // 0: local only; 1: both; 4: staged only, deleted here.
                try store.replaceWithStaged(ContractItem.self, keeping: [ids(0), ids(1), ids(4), "unknown", "O'Hara"])
            }
            try factory.reading { store in
                let found = try store.fetch(ContractItem.self, where: nil)
                try expectEqual(found.map(\.id), [0, 1, 3, 5].map(ids), "the ids")
                try expectEqual(found.map(\.entity.name), ["old", "old", "new", "new"], "the versions")
                try expectEqual(found.map(\.syncStatus), [.pending, .pending, .synced, .synced], "the statuses")
            }
        },
        Check("replaceWithStaged with nothing staged leaves only what is to be kept") { factory in
            try factory.saving { store in
                for number in 0..<3 { try store.upsert(item(number, "old", .synced)) }
                try store.replaceWithStaged(ContractItem.self, keeping: [ContractSamples.id(1)])
                try expectEqual(
                    store.fetch(ContractItem.self, where: nil).map(\.id), [ContractSamples.id(1)], "the ids")
            }
        },
        Check("replaceWithStaged also replaces records whose staged version is equal but for one field") { factory in
            try factory.saving { store in
                try store.upsert(LocalRecord(ContractSamples.fullItem, server: ContractSamples.server))
                try store.stage([remote(ContractSamples.fullItem)])
                try store.replaceWithStaged(ContractItem.self, keeping: [])
                let expected = LocalRecord(remote(ContractSamples.fullItem))
                try expectEqual(store.fetch(ContractItem.self, where: nil), [expected], "a pending record")
                var cleared = ContractSamples.fullItem
                cleared.sizes = nil
                try store.stage([remote(cleared)])
                try store.replaceWithStaged(ContractItem.self, keeping: [])
                try expectEqual(
                    store.find(ContractItem.self, id: cleared.id)?.entity, cleared, "a record with a cleared field")
            }
        },
        Check("replaced records are found by their new fields and no longer by the old ones") { factory in
            try factory.saving { store in
                try store.upsert(LocalRecord(ContractItem(id: "a", name: "old", ownerId: "x")))
                try store.stage([Remote(ContractItem(id: "a", name: "new", ownerId: "y"))])
                try store.replaceWithStaged(ContractItem.self, keeping: [])
                let ofNew = try store.fetch(ContractItem.self, where: FieldCondition("owner_id", equals: "y"))
                let ofOld = try store.fetch(ContractItem.self, where: FieldCondition("owner_id", equals: "x"))
                try expectEqual(ofNew.count, 1, "by the new owner")
                try expectEqual(ofOld.count, 0, "by the old owner")
            }
        },
        Check("records and staged ones are gone through by id, a page at a time") { factory in
            let ids = (0..<5).map(ContractSamples.id)
            try factory.saving { store in
                for number in [3, 0, 4, 1, 2] {
                    try store.upsert(item(number, "here", .pending))
                    try store.stage([remote(item(number, "staged", .synced).entity)])
                }
            }
            try factory.reading { store in
                let first = try store.fetch(ContractItem.self, after: nil, limit: 2)
                try expectEqual(first.map(\.id), Array(ids[..<2]), "the first page")
                try expectEqual(first.map(\.entity.name), ["here", "here"], "its records")
                let rest = try store.fetch(ContractItem.self, after: ids[1], limit: 9)
                try expectEqual(rest.map(\.id), Array(ids[2...]), "what follows")
                try expectEqual(try store.fetch(ContractItem.self, after: ids[4], limit: 9), [], "what follows it")
                try expectEqual(try store.fetch(ContractItem.self, after: nil, limit: 0), [], "a page of nothing")
                let staged = try store.fetchStaged(ContractItem.self, after: ids[0], limit: 3)
                try expectEqual(staged.map(\.id), Array(ids[1...3]), "a page of the staged ones")
                try expectEqual(staged.map(\.entity.name), ["staged", "staged", "staged"], "its records")
                try expectEqual(try store.fetchStaged(Event.self, after: nil, limit: 3), [], "another kind")
            }
        },
        Check("staged records outlive their unit, and clearStaged empties one kind") { factory in
            try factory.saving { try $0.stage([remote(ContractSamples.fullEvent)]) }
            try factory.saving { try $0.stage([remote(ContractSamples.fullEventType)]) }
            try factory.saving { try $0.clearStaged(Event.self) }
            try factory.reading { store in
                try expectEqual(store.stagedIds(Event.self), [], "the cleared kind")
                try expectEqual(store.stagedIds(EventType.self).count, 1, "the other kind")
            }
        },
    ]

    private static func remote<Entity: SyncEntity>(_ entity: Entity) -> Remote<Entity> {
        Remote(entity, server: ContractSamples.server)
    }

    private static func item(_ number: Int, _ name: String, _ status: SyncStatus) -> LocalRecord<ContractItem> {
        LocalRecord(ContractItem(id: ContractSamples.id(number), name: name, tags: [name]), syncStatus: status)
    }
}
