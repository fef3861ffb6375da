import TrendyDomain

extension DataStoreContract {
    static let unitOfWorkChecks = [
        Check("nothing that a unit writes is visible to others before save, and all of it after") { factory in
            let writer = try factory.makeDataStore()
            try writeEverything(to: writer)
            try factory.reading { try expectNothing(in: $0, "before save") }
            try writer.save()
            try factory.reading { try expectEverything(in: $0, "after save") }
        },
        Check("a unit sees what it has written before it saves") { factory in
            let writer = try factory.makeDataStore()
            try writeEverything(to: writer)
            try expectEverything(in: writer, "in the unit itself")
        },
        Check("a unit dropped without save leaves no trace and gives the write lock back") { factory in
            try factory.reading { try writeEverything(to: $0) }
            try factory.reading { try expectNothing(in: $0, "after the drop") }
            try factory.saving { try writeEverything(to: $0) }
            try factory.reading { try expectEverything(in: $0, "after the next unit's save") }
        },
        Check("a unit dropped after deletions and changes leaves everything as it was") { factory in
            try factory.saving { try writeEverything(to: $0) }
            try factory.reading { store in
                try store.deleteAll(Event.self)
                try store.deleteBases(.eventType, ids: [ContractSamples.fullEventType.id])
                for mutation in try store.fetchMutations(MutationQuery()) { try store.deleteMutation(id: mutation.id) }
                try store.setMetadata("key", nil)
                try store.deleteDocument(ContractDocument.self, id: "d")
                try expectNothing(in: store, "in the unit itself")
            }
            try factory.reading { try expectEverything(in: $0, "after the drop") }
        },
        Check("a unit can be used again after save, and what follows needs its own save") { factory in
            let store = try factory.makeDataStore()
            try store.setMetadata("first", "1")
            try store.save()
            try store.setMetadata("second", "2")
            try factory.reading { other in
                try expectEqual(other.metadata("first"), "1", "what was saved")
                try expectEqual(other.metadata("second"), nil, "what was not saved yet")
            }
            try store.save()
            try factory.reading { try expectEqual($0.metadata("second"), "2", "what was saved then") }
        },
        Check("saving a unit that wrote nothing does nothing") { factory in
            let store = try factory.makeDataStore()
            try store.save()
            _ = try store.metadata("key")
            try store.save()
            try factory.saving { try $0.setMetadata("key", "value") }
            try expectEqual(store.metadata("key"), "value", "what another unit saved")
        },
        Check("a unit that has not written sees what others save meanwhile") { factory in
            let reader = try factory.makeDataStore()
            try expectEqual(reader.count(Event.self), 0, "events at first")
            try factory.saving { try $0.upsert(LocalRecord(ContractSamples.fullEvent)) }
            try expectEqual(reader.count(Event.self), 1, "events after another unit's save")
        },
    ]

    /// Writes one thing of each sort.
    private static func writeEverything(to store: any DataStoreProtocol) throws {
        try store.upsert(LocalRecord(ContractSamples.fullEvent))
        try store.putBases([RecordBase(.eventType, id: ContractSamples.fullEventType.id, document: nil, revision: 1)])
        try store.insertMutation(ContractSamples.mutation(ContractSamples.id(1)))
        try store.setMetadata("key", "value")
        try store.putDocument(ContractDocument(id: "d", text: "t"))
    }

    private static func expectEverything(in store: any DataStoreProtocol, _ when: String) throws {
        try expectCounts(in: store, 1, "value", when)
    }

    private static func expectNothing(in store: any DataStoreProtocol, _ when: String) throws {
        try expectCounts(in: store, 0, nil, when)
    }

    private static func expectCounts(
        in store: any DataStoreProtocol, _ count: Int, _ value: String?, _ when: String
    ) throws {
        try expectEqual(store.count(Event.self), count, "records \(when)")
        let bases = try store.bases(.eventType, ids: [ContractSamples.fullEventType.id])
        try expectEqual(bases.count, count, "bases \(when)")
        try expectEqual(store.countMutations(MutationQuery()), count, "mutations \(when)")
        try expectEqual(store.metadata("key"), value, "metadata \(when)")
        try expectEqual(store.countDocuments(ContractDocument.self), count, "documents \(when)")
    }
}
