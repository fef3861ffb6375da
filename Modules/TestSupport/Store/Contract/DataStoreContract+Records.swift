import TrendyDomain

extension DataStoreContract {
    static let recordChecks =
        checks(ContractSamples.fullEvent, ContractSamples.minimalEvent)
        + checks(ContractSamples.fullEventType, ContractSamples.minimalEventType)
        + checks(ContractSamples.fullGeofence, ContractSamples.minimalGeofence)
        + checks(ContractSamples.fullDefinition, ContractSamples.minimalDefinition)
        + checks(ContractSamples.fullItem, ContractSamples.minimalItem)
        + [conditions, missingField, deleteAllOfOneKind, unknownKind]

    /// The checks of one kind of record, with one record that fills every field and one that fills few.
    private static func checks<Entity: SyncEntity>(_ full: Entity, _ minimal: Entity) -> [Check] {
        let kind = Entity.entityType.displayName
        return [
            Check("\(kind): a record comes back as it was put in") { factory in
                try factory.saving { store in
                    try store.upsert(whole(full))
                    try store.upsert(LocalRecord(minimal))
                }
                try factory.reading { store in
                    try expectEqual(try store.find(Entity.self, id: full.id), whole(full), "the full record")
                    try expectEqual(
                        try store.find(Entity.self, id: minimal.id), LocalRecord(minimal), "the minimal one")
                    try expectEqual(try store.find(Entity.self, id: "none"), nil, "a record that is not there")
                    try expectEqual(
                        store.fetch(Entity.self, where: nil).map(\.id), [full.id, minimal.id].sorted(),
                        "all ids, in order"
                    )
                    try expectEqual(store.count(Entity.self), 2, "the count")
                }
            },
            Check("\(kind): upsert replaces every field of the record with that id") { factory in
                try factory.saving { try $0.upsert(whole(full)) }
                var other = minimal
                other.id = full.id
                try factory.saving { try $0.upsert(LocalRecord(other, syncStatus: .synced)) }
                try factory.reading { store in
                    let expected = LocalRecord(other, syncStatus: .synced)
                    try expectEqual(try store.fetch(Entity.self, where: nil), [expected], "all records")
                }
            },
            Check("\(kind): delete takes the record out and says whether it was there") { factory in
                try factory.saving { store in
                    try store.upsert(LocalRecord(full))
                    try store.upsert(LocalRecord(minimal))
                    try expectEqual(store.delete(Entity.self, id: full.id), true, "deleting a record")
                    try expectEqual(store.delete(Entity.self, id: full.id), false, "deleting it again")
                }
                try factory.reading { store in
                    try expectEqual(try store.fetch(Entity.self, where: nil), [LocalRecord(minimal)], "what is left")
                }
            },
            Check("\(kind): setSyncStatus changes the status alone and makes no record") { factory in
                try factory.saving { try $0.upsert(whole(full)) }
                for status in SyncStatus.allCases {
                    try factory.saving { store in
                        try store.setSyncStatus(Entity.self, id: full.id, status)
                        try store.setSyncStatus(Entity.self, id: "none", status)
                    }
                    let expected = whole(full, status)
                    try factory.reading { store in
                        try expectEqual(try store.fetch(Entity.self, where: nil), [expected], "all records")
                    }
                }
            },
        ]
    }

    /// A record with something in everything that is kept of it.
    static func whole<Entity: SyncEntity>(_ entity: Entity, _ status: SyncStatus = .failed) -> LocalRecord<Entity> {
        LocalRecord(
            entity, server: ContractSamples.server, syncStatus: status, revision: 7, createdRevision: 3,
            unknown: ContractSamples.unknown)
    }

    private static let conditions = Check("fetch with a condition finds the records whose field has that value") {
        factory in
        let items = (0..<6).map { number in
            ContractItem(
                id: ContractSamples.id(number), name: number == 1 ? "O'Hara \"%\"" : "n",
                ownerId: number == 5 ? nil : ContractSamples.id(900 + number % 2))
        }
        try factory.saving { store in for item in items.reversed() { try store.upsert(LocalRecord(item)) } }
        try factory.reading { store in
            func ids(_ field: String, _ value: String) throws -> [String] {
                try store.fetch(ContractItem.self, where: FieldCondition(field, equals: value)).map(\.id)
            }
            try expectEqual(
                ids("owner_id", ContractSamples.id(900)), [0, 2, 4].map(ContractSamples.id), "of one owner")
            try expectEqual(ids("owner_id", "none"), [], "of an owner that has none")
            try expectEqual(ids("name", "O'Hara \"%\""), [ContractSamples.id(1)], "with quotes in the value")
            try expectEqual(ids("id", ContractSamples.id(3)), [ContractSamples.id(3)], "by id")
        }
        try factory.saving { store in
            var item = items[0]
            item.ownerId = ContractSamples.id(901)
            try store.upsert(LocalRecord(item))
        }
        try factory.reading { store in
            let ofFirst = FieldCondition("owner_id", equals: ContractSamples.id(900))
            try expectEqual(
                store.fetch(ContractItem.self, where: ofFirst).map(\.id), [2, 4].map(ContractSamples.id),
                "after a change")
        }
        try factory.saving { store in
            try store.upsert(LocalRecord(ContractSamples.fullEvent))
            let imported = FieldCondition("source_type", equals: "imported")
            try expectEqual(store.fetch(Event.self, where: imported).count, 1, "by a raw value")
        }
    }

    private static let missingField = Check("a condition on a field that the kind does not have is an error") {
        factory in
        try factory.reading { store in
            let condition = FieldCondition("no_such_field", equals: "x")
            let error = StoreError.failed("event records have no field 'no_such_field'")
            try expectError(error, "fetch") { try store.fetch(Event.self, where: condition) }
            try expectError(error, "ids") { try store.ids(.event, where: condition, limit: 1) }
        }
    }

    private static let deleteAllOfOneKind = Check("deleteAll takes out the records of that kind alone") { factory in
        try factory.saving { store in
            try store.upsert(LocalRecord(ContractSamples.fullEvent))
            try store.upsert(LocalRecord(ContractSamples.minimalEvent))
            try store.upsert(LocalRecord(ContractSamples.fullEventType))
        }
        try factory.saving { try $0.deleteAll(Event.self) }
        try factory.reading { store in
            try expectEqual(store.count(Event.self), 0, "records of the kind")
            try expectEqual(store.count(EventType.self), 1, "records of another kind")
        }
    }

    private static let unknownKind = Check("every method refuses a kind that the store has no table for") { factory in
        try factory.reading { store in
            let type = UnknownItem.self
            let record = LocalRecord(UnknownItem(id: "a"))
            let error = StoreError.unknownEntityType(UnknownItem.entityType)
            try expectError(error, "find") { try store.find(type, id: "a") }
            try expectError(error, "fetch") { try store.fetch(type, where: nil) }
            try expectError(error, "fetch of a page") { try store.fetch(type, after: nil, limit: 1) }
            try expectError(error, "count") { try store.count(type) }
            try expectError(error, "upsert") { try store.upsert(record) }
            try expectError(error, "delete") { try store.delete(type, id: "a") }
            try expectError(error, "deleteAll") { try store.deleteAll(type) }
            try expectError(error, "setSyncStatus") { try store.setSyncStatus(type, id: "a", .synced) }
            let kind = type.entityType
            try expectError(error, "fetch by ids") { try store.fetch(type, ids: []) }
            try expectError(error, "standings") { try store.standings(kind, ids: []) }
            try expectError(error, "ids") { try store.ids(kind, where: FieldCondition("id", equals: "a"), limit: 1) }
            try expectError(error, "upsert of a set") { try store.upsert(contentsOf: [record]) }
            try expectError(error, "delete of a set") { try store.delete(kind, ids: []) }
            try expectError(error, "confirm") { try store.confirm(kind, []) }
            try expectError(error, "unmarkedIds") { try store.unmarkedIds(kind, after: nil, limit: 1) }
        }
    }
}
