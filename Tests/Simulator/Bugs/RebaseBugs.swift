import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let rebaseBugs = [
        rebaseIsSkipped, clearingIsLost, otherFieldsStay, conflictsAreNotListed, acceptedEditIsListed, mapGoesWhole,
        serverComparesNoBases, serverReplacesMaps, childrenKeepTheirVersions,
        departingIsMissed, replacedIsForgotten,
    ]

    /// What the server says takes the place of an edit that is on its way.
    private static let rebaseIsSkipped = PlantedBug(
        name: "rebase is skipped", promise: .rebase, knownSeed: 6,
        plant: { _ in .store { BlindToEdits($0) } })

    /// A field that was cleared is not cleared again when the server's version comes in.
    private static let clearingIsLost = PlantedBug(
        name: "clearing of a field is lost", promise: .rebase, knownSeed: 16,
        plant: { _ in .store { BlindToNull($0) } })

    /// A record with an edit on its way, or parked, takes nothing of what others have changed in its other fields.
    private static let otherFieldsStay = PlantedBug(
        name: "other fields are not taken", promise: .rebase, knownSeed: 9,
        plant: { _ in .store { KeepsWholeRecord($0) } })

    /// A value of another device that loses against an edit from here is not listed.
    private static let conflictsAreNotListed = PlantedBug(
        name: "conflicts are not listed", promise: .rebase, knownSeed: 211,
        plant: { _ in .store { WithoutConflicts($0) } })

    /// The values of an edit that was accepted are listed as those of another side.
    private static let acceptedEditIsListed = PlantedBug(
        name: "own edit counts as another side", promise: .rebase, knownSeed: 3,
        plant: { _ in .store { ListsAccepted($0) } })

    /// An edit of one key of a map carries all the others, as they are here.
    private static let mapGoesWhole = PlantedBug(
        name: "a map is sent as a whole", promise: .rebase, knownSeed: 813,
        plant: { _ in .store { WholeMaps($0) } })

    /// The server carries out every change, whatever version it began from.
    private static let serverComparesNoBases = PlantedBug(
        name: "server compares no bases", promise: .rebase, knownSeed: 211,
        misreads: { request, server in
            request.changingMutations { mutation in
                guard let id = mutation["entity_id"]?.stringValue, mutation["operation"] != .string("create"),
                    let revision = server.feed.versions[id]?.last?.revision
                else { return }
                mutation["base"] = .integer(revision)
            }
        })

    /// A deletion that the server has carried out leaves the children here as they were, until the server tells of them.
    private static let childrenKeepTheirVersions = PlantedBug(
        name: "children keep their versions when their parent has gone", promise: .rebase, knownSeed: 621,
        plant: { _ in .store { KeepsVersionsOfChildren($0) } })

    /// A deletion goes while the edit that moves a child away is still open.
    private static let departingIsMissed = PlantedBug(
        name: "a deletion passes a move away from its record", promise: .rebase, knownSeed: 22_900_106, isRare: true,
        plant: { _ in .store { HidesMoves($0) } })

    /// A create on which the server failed and that an edit has replaced counts as one that never left.
    private static let replacedIsForgotten = PlantedBug(
        name: "what an edit has replaced is forgotten", promise: .rebase, knownSeed: 23_031_939, isRare: true,
        plant: { _ in .store { ForgetsReplaced($0) } })

    /// The server takes a patch of a map for the map.
    private static let serverReplacesMaps = PlantedBug(
        name: "server replaces a map", promise: .rebase, knownSeed: 78,
        misreads: { request, server in
            request.changingMutations { mutation in
                guard mutation["operation"] == .string("update"), let id = mutation["entity_id"]?.stringValue,
                    var data = mutation["data"]?.objectValue, let patch = data["properties"]?.objectValue,
                    let present = server.record(id)?["properties"]?.objectValue
                else { return }
                data["properties"] = .object(present.mapValues { _ in .null }.merging(patch) { $1 })
                mutation["data"] = .object(data)
            }
        })
}

/// Shows open edits to nobody who asks for those of all records.
private final class HidesMoves: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let isOfAll = query.states == [.queued, .sending, .parked] && query.operations == [.update]
        return isOfAll ? [] : try super.fetchMutations(query)
    }
}

private final class ForgetsReplaced: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        query.states == [.merged] ? [] : try super.fetchMutations(query)
    }
}

private final class KeepsVersionsOfChildren: ForwardingStore {
    override func putBases(_ bases: [RecordBase]) throws {
        try super.putBases(
            bases.filter { new in
                let known = try base.bases(new.entityType, ids: [new.id])[new.id]
                return !new.isDeleted || known?.isDeleted != false || known?.revision != new.revision
            })
    }
}

private final class BlindToEdits: ForwardingStore {
    override func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        try super.openMutations(entityType, ids: ids).filter { $0.operation != .update }
    }
}

private final class BlindToNull: ForwardingStore {
    override func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        try super.openMutations(entityType, ids: ids).map { mutation in
            guard mutation.operation == .update, let payload = mutation.payload else { return mutation }
            let patch = try WireCoding.decode(Fields.self, from: payload)
            var changed = mutation
            changed.payload = try WireCoding.encode(patch.filter { $0.value != .null })
            return changed
        }
    }

    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                // What was hidden is hidden from the fold only.
                guard mutation.operation == .update, let stored = try base.findMutation(id: mutation.id),
                    stored.payload?.count ?? 0 > mutation.payload?.count ?? 0
                else { return mutation }
                var whole = mutation
                whole.payload = stored.payload
                return whole
            })
    }
}

private final class KeepsWholeRecord: ForwardingStore {
    override func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        try super.upsert(
            contentsOf: records.map { record in
                var record = record
                if record.syncStatus != .synced, let present = try base.find(Entity.self, id: record.id),
                    present.syncStatus != .synced, present.revision != record.revision
                {
                    record.entity = present.entity
                }
                return record
            })
    }
}

private final class WithoutConflicts: ForwardingStore {
    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if let conflict = document as? SyncConflict, conflict.kind == .field { return }
        try super.putDocument(document)
    }
}

private final class ListsAccepted: ForwardingStore {
    override func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws {
        for id in ids {
            guard let mutation = try base.findMutation(id: id), mutation.operation == .update,
                let fields = try mutation.payload.map({ try WireCoding.decode(Fields.self, from: $0) })
            else { continue }
            for (field, value) in fields where value.uniqueText != nil {
                try base.putDocument(
                    SyncConflict(
                        id: "\(id)-\(field)", kind: .field, entityType: mutation.entityType,
                        entityId: mutation.entityId,
                        field: field, localValue: .null, remoteValue: value, detectedAt: moment))
            }
        }
        try super.acceptMutations(ids, at: moment)
    }
}

private final class WholeMaps: ForwardingStore {
    override func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        try super.insertMutation(whole(mutation))
    }

    private func whole(_ mutation: PendingMutation) throws -> PendingMutation {
        guard mutation.operation == .update, let payload = mutation.payload,
            var patch = try? WireCoding.decode(Fields.self, from: payload),
            let keys = patch["properties"]?.objectValue,
            let event = try base.find(Event.self, id: mutation.entityId)?.entity,
            let present = try WireCoding.fields(of: event)["properties"]?.objectValue
        else { return mutation }
        patch["properties"] = .object(present.merging(keys) { $1 })
        var changed = mutation
        changed.payload = try WireCoding.encode(patch)
        return changed
    }
}
