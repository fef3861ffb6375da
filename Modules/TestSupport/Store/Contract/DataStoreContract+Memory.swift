import TrendyDomain

extension DataStoreContract {
    static let memoryChecks = [
        Check("metadata is set, replaced and removed by name") { factory in
            try factory.saving { store in
                try store.setMetadata("a", "1")
                try store.setMetadata("b", ContractSamples.text)
                try store.setMetadata("empty", "")
            }
            try factory.saving { store in
                try store.setMetadata("a", "2")
                try store.setMetadata("none", nil)
            }
            try factory.reading { store in
                try expectEqual(store.metadata("a"), "2", "a replaced value")
                try expectEqual(store.metadata("b"), ContractSamples.text, "another value")
                try expectEqual(store.metadata("empty"), "", "an empty value")
                try expectEqual(store.metadata("none"), nil, "a value that is not there")
            }
            try factory.saving { try $0.setMetadata("a", nil) }
            try factory.reading { try expectEqual($0.metadata("a"), nil, "a removed value") }
        },
        Check("documents are put, replaced, listed by id, counted and deleted by collection") { factory in
            let conflict = SyncConflict(
                id: "b", kind: .field, entityType: .event, entityId: "e", field: "notes", localValue: "mine",
                remoteValue: nil, detectedAt: Timestamp(milliseconds: 7))
            try factory.saving { store in
                try store.putDocument(ContractDocument(id: "c", text: "third"))
                try store.putDocument(ContractDocument(id: "b", text: "second", numbers: [1, 2]))
                try store.putDocument(ContractDocument(id: "a", text: ContractSamples.text))
                try store.putDocument(ContractDocument(id: "c", text: "third, new"))
                try store.putDocument(conflict)
            }
            try factory.saving { store in
                try store.deleteDocument(ContractDocument.self, id: "a")
                try store.deleteDocument(ContractDocument.self, id: "none")
            }
            try factory.reading { store in
                let expected = [
                    ContractDocument(id: "b", text: "second", numbers: [1, 2]),
                    ContractDocument(id: "c", text: "third, new"),
                ]
                try expectEqual(store.fetchDocuments(ContractDocument.self), expected, "the documents")
                try expectEqual(store.findDocument(ContractDocument.self, id: "c"), expected[1], "one of them")
                try expectEqual(store.findDocument(ContractDocument.self, id: "a"), nil, "one that was deleted")
                try expectEqual(store.findDocument(SyncConflict.self, id: "c"), nil, "one of another collection")
                try expectEqual(store.countDocuments(ContractDocument.self), 2, "their count")
                try expectEqual(store.fetchDocuments(SyncConflict.self), [conflict], "the other collection")
                try expectEqual(store.countDocuments(SyncHistoryEntry.self), 0, "an empty collection")
                try expectEqual(store.fetchDocuments(QuarantinedChange.self).count, 0, "another empty one")
            }
        },
        Check("the methods named after Trendy's kinds do what the generic ones do") { factory in
            try factory.saving { store in
                try store.upsertEventType(id: "t") { $0.name = "coffee" }
                try store.upsertEvent(id: "e") { event in
                    event.id = "ignored"
                    event.eventTypeId = "t"
                }
                try store.upsertEvent(id: "e") { $0.notes = "note" }
                try store.upsertGeofence(id: "g") { $0.name = "home" }
                try store.upsertPropertyDefinition(id: "p", eventTypeId: "t") { $0.key = "size" }
                try store.markEventSynced(id: "e")
            }
            try factory.reading { store in
                try expectEqual(store.findEvent(id: "e")?.notes, "note", "an event changed twice")
                try expectEqual(store.findEvent(id: "e")?.eventTypeId, "t", "its first change")
                try expectEqual(store.find(Event.self, id: "e")?.syncStatus, .synced, "its status")
                try expectEqual(store.fetchAllEventTypes().map(\.name), ["coffee"], "event types")
                try expectEqual(store.fetchAllGeofences().map(\.name), ["home"], "geofences")
                try expectEqual(store.findPropertyDefinition(id: "p")?.eventTypeId, "t", "a property definition")
            }
            try factory.saving { store in
                try store.deleteEvent(id: "e")
                try store.deleteAllGeofences()
                try expectEqual(store.fetchAllEvents().count, 0, "events")
                try expectEqual(store.fetchAllGeofences().count, 0, "geofences")
            }
        },
    ]
}
