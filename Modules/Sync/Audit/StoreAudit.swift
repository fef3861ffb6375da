import TrendyDomain

/// Compares what a device has with what the server has, and mends what differs where that is asked for.
///
/// It reads a snapshot and applies nothing of it. A record that changes meanwhile is no difference: what seems to
/// differ counts only if this device's base is the same after everything new was received.
final class StoreAudit {
    private let cycle: SyncCycle
    private let gateway: any SyncGateway
    private let isRepair: Bool
    private var kinds: [EntityType: StoreAuditReport.Kind] = [:]
    private var suspects: [Suspect] = []

    /// Something that seems to differ.
    private struct Suspect {
        var difference: RecordDifference
        /// The revision of this device's base when it was compared.
        var revision: Int64?
        /// The server's version; nil where it has none.
        var theirs: SyncChange?

        var record: RecordKey { RecordKey(difference.entityType, difference.entityId) }
        /// Whether the server has accepted it, and its snapshot did not show it.
        var isMissing: Bool { difference.kind == .onlyHere && revision ?? 0 > 0 }
    }

    init(_ cycle: SyncCycle, _ gateway: any SyncGateway, isRepair: Bool) {
        self.cycle = cycle
        self.gateway = gateway
        self.isRepair = isRepair
    }

    /// - Parameter report: Has what was compared up to the error, where one is thrown.
    func run(_ report: inout StoreAuditReport) async throws {
        try await ExchangeCycle(cycle, gateway, isSending: false).run()
        try cycle.write { try $0.clearMarks() }
        defer { try? cycle.write { try $0.clearMarks() } }
        for type in cycle.schema.types { kinds[type.entityType] = StoreAuditReport.Kind(type.entityType) }
        try await readSnapshot()
        for type in cycle.schema.types { try compareRest(type) }
        try await ExchangeCycle(cycle, gateway, isSending: false).run()
        let whereabouts = try await askForMissing()
        try cycle.write { store in
            for suspect in suspects { try judge(suspect, whereabouts, in: store) }
        }
        report.kinds = cycle.schema.types.compactMap { kinds[$0.entityType] }
    }

    private func replica(_ store: any DataStoreProtocol) -> Replica {
        Replica(store: store, schema: cycle.schema, wallClock: cycle.wallClock, identifiers: cycle.identifiers)
    }

    // MARK: Comparing

    private func readSnapshot() async throws {
        var (epoch, cursor): (String?, String?) = (nil, nil)
        var pages = PageReader(cycle, gateway, window: try cycle.read { try $0.exchangePlace().receiving })
        while true {
            let known = pages.window
            let answer = try await pages.read(epoch: epoch, cursor: cursor)
            if pages.window != known {
                try cycle.write { store in
                    var place = try store.exchangePlace()
                    place.receiving = pages.window
                    try store.setExchangePlace(place)
                }
            }
            guard case .success(let response) = answer else {
                if case .failure(let refusal) = answer { throw refusal.asStop }
                return
            }
            try cycle.write { store in
                for (kind, changes) in Dictionary(grouping: response.changes, by: \.entityType) {
                    if let type = cycle.schema.type(for: kind) { try compare(type, changes, in: store) }
                }
            }
            if !response.more { return }
            if response.cursor == cursor { throw CycleStop.endless }
            (epoch, cursor) = (response.epoch, response.cursor)
        }
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ changes: [SyncChange], in store: any DataStoreProtocol
    ) throws {
        let kind = Entity.entityType
        try store.mark(kind, ids: changes.map(\.entityId))
        for change in changes where !change.deleted {
            let theirs: LocalRecord<Entity>
            do {
                theirs = try Entity.received(change.record ?? .null, change.revision, created: 0)
            } catch {
                kinds[kind]?.unusable += 1
                continue
            }
            kinds[kind]?.there += 1
            do {
                let copy = try replica(store).load(type, change.entityId)
                try compare(theirs, change, with: copy, in: store)
            } catch StoreError.unreadableRecord(_, _, let reason) {
                suspect(RecordDifference(kind, change.entityId, .unreadable(reason)), nil, change)
            }
        }
    }

    private func compare<Entity: SyncEntity>(
        _ theirs: LocalRecord<Entity>, _ change: SyncChange, with copy: LocalCopy, in store: any DataStoreProtocol
    ) throws {
        let kind = Entity.entityType
        guard case .document(let here, let revision) = copy.record.base else {
            if copy.record.operations.isEmpty {
                suspect(RecordDifference(kind, theirs.id, .onlyThere), copy.record.base.revision, change)
            } else {
                kinds[kind]?.waiting += 1
            }
            return
        }
        kinds[kind]?.here += 1
        var differences = copy.record.shape.differences(of: here, from: try theirs.document)
        // A record without open operations is its own base.
        if differences.isEmpty, copy.status != .synced || !copy.record.operations.isEmpty {
            // What readers see follows from what the server has and from what waits.
            if case .document(let expected) = copy.record.visible {
                guard let seen = try store.find(Entity.self, id: theirs.id) else {
                    return suspect(RecordDifference(kind, theirs.id, .onlyThere), revision, change)
                }
                differences = copy.record.shape.differences(of: try seen.document, from: expected)
            }
        }
        if differences.isEmpty {
            try kinds[kind]?.digestHere.add(theirs.entity)
            try kinds[kind]?.digestThere.add(theirs.entity)
            return
        }
        suspect(RecordDifference(kind, theirs.id, .fields(differences)), revision, change)
    }

    /// Compares what this device has and the snapshot has not shown.
    private func compareRest(_ type: any SyncEntity.Type) throws {
        let kind = type.entityType
        try cycle.write { store in
            var last: String?
            while true {
                let ids = try store.unmarkedIds(kind, after: last, limit: 500)
                guard let end = ids.last else { return }
                last = end
                for id in ids { try lookAtLone(type, id, in: store) }
            }
        }
    }

    private func lookAtLone(_ type: any SyncEntity.Type, _ id: String, in store: any DataStoreProtocol) throws {
        let kind = type.entityType
        do {
            let record = try replica(store).load(type, id).record
            switch record.base {
            case .document(_, let revision):
                kinds[kind]?.here += 1
                suspect(RecordDifference(kind, id, .onlyHere), revision, nil)
            case .nothing: kinds[kind]?.waiting += record.operations.isEmpty ? 0 : 1
            case .tombstone: break
            }
        } catch StoreError.unreadableRecord(_, _, let reason) {
            suspect(RecordDifference(kind, id, .unreadable(reason)), nil, nil)
        }
    }

    private func suspect(_ difference: RecordDifference, _ revision: Int64?, _ theirs: SyncChange?) {
        suspects.append(Suspect(difference: difference, revision: revision, theirs: theirs))
    }

    // MARK: Judging and mending

    /// Asks the server for the records that it has accepted and that its snapshot did not show.
    private func askForMissing() async throws -> [RecordKey: Whereabouts] {
        let missing: [RecordKey] = try cycle.read { store in
            try suspects.filter(\.isMissing).filter { suspect in
                guard let type = cycle.schema.type(for: suspect.record.entityType) else { return false }
                return try replica(store).load(type, suspect.record.id).record.base.revision == suspect.revision
            }.map(\.record)
        }
        if missing.isEmpty { return [:] }
        let cursor = try cycle.read { try $0.exchangePlace().cursor }
        let gateway = gateway
        let answer = try await cycle.send(provesHealth: { _ in true }) {
            try await gateway.whereabouts(of: missing, at: cursor)
        }
        switch answer {
        case .success(let whereabouts): return whereabouts
        case .failure(let refusal): throw refusal.asStop
        }
    }

    private func judge(
        _ suspect: Suspect, _ whereabouts: [RecordKey: Whereabouts], in store: any DataStoreProtocol
    ) throws {
        var difference = suspect.difference
        guard let type = cycle.schema.type(for: difference.entityType) else { return }
        if let revision = suspect.revision {
            let copy = try replica(store).load(type, difference.entityId)
            if copy.record.base.revision != revision { return }
            let place = whereabouts[suspect.record]
            if suspect.isMissing, place == .there { return }
            if isRepair, suspect.isMissing {
                difference.outcome =
                    try place == nil
                    ? .left("the server did not say whether it has it; compare again") : park(copy, in: store)
            } else if isRepair {
                difference.outcome = try mend(difference, copy, suspect.theirs, in: store)
            }
        } else if isRepair {
            difference.outcome = .left("it cannot be read, and the server does not have it")
            if let theirs = suspect.theirs {
                try store.delete(difference.entityType, ids: [difference.entityId])
                difference.outcome = try bringIn(theirs, in: store)
            }
        }
        try addDigests(of: suspect, type, in: store)
        kinds[difference.entityType]?.differences.append(difference)
    }

    private func mend(
        _ difference: RecordDifference, _ copy: LocalCopy, _ theirs: SyncChange?, in store: any DataStoreProtocol
    ) throws -> RecordDifference.Outcome {
        if case .fields(let fields) = difference.kind {
            let (here, there) = (document(fields, \.here), document(fields, \.there))
            for path in copy.record.shape.paths(of: here).sorted() where here[path] != there[path] {
                try store.putDocument(
                    SyncConflict(
                        id: cycle.identifiers.makeId(), kind: .field, entityType: difference.entityType,
                        entityId: difference.entityId, field: path.field, key: path.key, localValue: there[path],
                        remoteValue: here[path], detectedAt: cycle.wallClock.now()))
            }
        }
        if let theirs { return try bringIn(theirs, in: store) }
        guard case .document(let document) = copy.record.visible else {
            return .left("it was deleted here, and the server does not have it")
        }
        // Nothing says that the server ever had it.
        var record = copy.record
        record.base = .nothing
        let create = OpenOperation.Change.create(document.withoutServerFields)
        record.operations = [OpenOperation(create, key: cycle.identifiers.makeId(), position: .max)]
        try replica(store).save(copy, as: record, settled: { _ in .merged(into: nil) })
        return .queued
    }

    /// Parks a record that the server has accepted and does not have: in an unbroken history it was deleted there. The
    /// person decides whether it is made again or goes here too.
    private func park(_ copy: LocalCopy, in store: any DataStoreProtocol) throws -> RecordDifference.Outcome {
        guard case .document(let document) = copy.record.visible else {
            return .left("it was deleted here, and the server does not have it")
        }
        var record = copy.record
        // Edits wait for the same decision.
        if record.operations.contains(where: { $0.change != .update(FieldPatch()) }) {
            try replica(store).merge(copy, .nothing, created: 0, raw: nil)
            return .parked
        }
        record.base = .nothing
        record.operations = [
            OpenOperation(
                .create(document.withoutServerFields), key: cycle.identifiers.makeId(), position: .max, isParked: true)
        ]
        let reason = ParkReason(
            code: .deletedElsewhere, message: "the server had it and does not have it any more: it was deleted there")
        try replica(store).save(copy, as: record, settled: { _ in .merged(into: nil) }, parked: { _ in reason })
        return .parked
    }

    private func document(_ fields: [FieldDifference], _ side: KeyPath<FieldDifference, JSONValue>) -> RecordDocument {
        Dictionary(fields.map { ($0.field, $0[keyPath: side]) }) { $1 }
    }

    private func bringIn(_ theirs: SyncChange, in store: any DataStoreProtocol) throws -> RecordDifference.Outcome {
        guard let type = cycle.schema.type(for: theirs.entityType) else { return .left("its kind is unknown") }
        let copy = try replica(store).load(type, theirs.entityId)
        if case .document = copy.record.base, copy.record.base.revision > theirs.revision {
            // The revision here is of another history. With one that is not known, the server's version counts.
            var record = copy.record
            record.base = record.base.outdated
            if record.operations.isEmpty { record.operations = [.question(cycle.identifiers.makeId())] }
            try replica(store).save(copy, as: record)
        }
        let shelf = QuarantineShelf(
            store: store, configuration: cycle.configuration, now: cycle.wallClock.now())
        var received = ReceivedChanges(replica(store), shelf: shelf, ExchangePlace())
        try received.apply(ReadChanges([theirs], cycle.schema))
        let isIn = try replica(store).load(type, theirs.entityId).record.base.revision == theirs.revision
        return isIn ? .broughtIn : .left("it is deleted here, in a history that the server does not have")
    }

    private func addDigests(
        of suspect: Suspect, _ type: any SyncEntity.Type, in store: any DataStoreProtocol
    ) throws {
        func add<Entity: SyncEntity>(_ type: Entity.Type) throws {
            let key = Entity.entityType
            if let record = suspect.theirs?.record {
                try kinds[key]?.digestThere.add(Entity.received(record, 0, created: 0).entity)
            }
            if suspect.difference.kind != .onlyThere, suspect.revision != nil,
                let here = try? store.find(type, id: suspect.difference.entityId)?.entity
            {
                try kinds[key]?.digestHere.add(here)
            }
        }
        try add(type)
    }
}

extension RecordShape {
    /// The fields in which one version of a record differs from another.
    fileprivate func differences(of here: RecordDocument, from there: RecordDocument) -> [FieldDifference] {
        let fields = Set(paths(of: here).union(paths(of: there)).filter { here[$0] != there[$0] }.map(\.field))
        return fields.sorted().map { FieldDifference(field: $0, here: here[$0] ?? .null, there: there[$0] ?? .null) }
    }
}
