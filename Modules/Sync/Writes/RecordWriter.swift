import Foundation
import TrendyDomain

/// Writes what a person does: appends operations to the outbox, and shows the fold. The caller saves the unit of
/// work.
struct RecordWriter {
    let replica: Replica
    let changes = LocalChanges()

    var store: any DataStoreProtocol { replica.store }
    var schema: EntitySchema { replica.schema }

    /// Puts a new record in and queues its creation.
    ///
    /// - Parameter former: The version that was here before, if the record comes back.
    @discardableResult
    func create<Entity: SyncEntity>(_ entity: Entity, over former: Entity? = nil) throws -> PendingMutation? {
        try demandKnown(Entity.entityType)
        try validate(entity, over: former)
        return try insert(entity)
    }

    /// Puts a validated new record in and queues its creation.
    ///
    /// - Parameter isAdopted: Whether it was made elsewhere or was here before, so that others may have it too. It does not
    ///   count for a record that was made here and given up before it was sent: no other device has that.
    /// - Returns: The mutation; nil if it only takes a deletion back.
    @discardableResult
    func insert<Entity: SyncEntity>(_ entity: Entity, isAdopted: Bool = false) throws -> PendingMutation? {
        let kind = Entity.entityType
        try store.begin()
        let copy = try replica.load(Entity.self, [entity.id])[entity.id]
        if copy?.status != nil { throw SyncEngineError.alreadyExists(entityType: kind, id: entity.id) }
        let (givenUp, key) = (GivenUpRecords(replica: replica), RecordKey(kind, entity.id))
        let wasOnlyHere = try givenUp.take(key)
        changes.add(.created(entity))
        if let copy { return try makeAgain(entity, copy) }
        try store.upsert(contentsOf: [LocalRecord(entity)])
        return try store.insertMutation(creation(of: entity, isAdopted: isAdopted && !wasOnlyHere))
    }

    /// Puts validated records in that were made elsewhere, and queues their creation. It skips a record whose id is here, or
    /// came before among them.
    ///
    /// - Returns: How many were put in.
    func insertMissing<Entity: SyncEntity>(_ entities: [Entity]) throws -> Int {
        try store.begin()
        var count = 0
        for chunk in entities.chunks(of: 1_000) {
            let copies = try replica.load(Entity.self, chunk.map(\.id))
            var here = Set(copies.filter { $0.value.status != nil }.keys)
            let missing = chunk.filter { here.insert($0.id).inserted }
            try GivenUpRecords(replica: replica).forget(missing.map { RecordKey(Entity.entityType, $0.id) })
            let fresh = missing.filter { copies[$0.id] == nil }
            try store.upsert(contentsOf: fresh.map { LocalRecord($0) })
            var creations: [PendingMutation] = []
            for entity in missing {
                changes.add(.created(entity))
                guard let copy = copies[entity.id] else {
                    creations.append(try creation(of: entity, isAdopted: true))
                    continue
                }
                try store.insertMutations(creations)
                creations = []
                _ = try makeAgain(entity, copy)
            }
            try store.insertMutations(creations)
            count += missing.count
        }
        return count
    }

    /// The creation of a record that has neither base nor operations.
    private func creation<Entity: SyncEntity>(of entity: Entity, isAdopted: Bool) throws -> PendingMutation {
        PendingMutation(
            clientRequestId: replica.identifiers.makeId(), entityType: Entity.entityType, operation: .create,
            entityId: entity.id, payload: try encoded(entity), createdAt: replica.wallClock.now(),
            isAdopted: isAdopted)
    }

    /// Makes a record that this device has deleted or hidden.
    private func makeAgain<Entity: SyncEntity>(_ entity: Entity, _ copy: LocalCopy) throws -> PendingMutation? {
        try makeAgain(copy, as: try WireCoding.fields(of: entity))
    }

    /// Makes a record that this device has deleted or hidden. A deletion whose answer is not awaited is dropped, which shows
    /// the record.
    @discardableResult
    func makeAgain(_ copy: LocalCopy, as document: RecordDocument) throws -> PendingMutation? {
        var record = copy.record
        if let last = record.operations.last, last.change == .delete, !record.drop(last.key).isEmpty {
            try TakenBackDeletions(replica: replica).add(copy.key)
        }
        let change: OpenOperation.Change =
            if let former = record.visible.document {
                .update(FieldPatch(from: former, to: document, shape: record.shape))
            } else {
                .create(document)
            }
        return try bringBack(copy, as: record, with: change)
    }

    /// Saves a record that was deleted here and is there again, with its children.
    ///
    /// - Parameter change: The change that is still to be sent of the record itself.
    /// - Returns: The mutation that carries the change; nil if nothing is to be sent.
    @discardableResult
    func bringBack(
        _ copy: LocalCopy, as record: OpenRecord, with change: OpenOperation.Change
    ) throws -> PendingMutation? {
        var mutation: PendingMutation?
        if change == .update(FieldPatch()) {
            try replica.save(copy, as: record, settled: { _ in .merged(into: nil) })
        } else {
            mutation = try append(change, to: record, of: copy)
        }
        if copy.isDeletedHere { try bringBackChildren(of: copy.key) }
        return mutation
    }

    /// Brings back what a deletion had hidden, or shown without its parent.
    ///
    /// If the deletion was dropped, readers see it again already. If it is still open, the server carries it out all the
    /// same, so the children have to be made again.
    private func bringBackChildren(of parent: RecordKey) throws {
        for (type, reference) in schema.children(of: parent.entityType) {
            for chunk in try replica.children(type, reference, of: parent.id).chunks(of: 500) {
                for copy in try replica.loadInOrder(type, chunk) {
                    try bringBack(type, copy, reference, of: parent.id)
                }
            }
        }
    }

    private func bringBack<Child: SyncEntity>(
        _ type: Child.Type, _ copy: LocalCopy, _ reference: ParentReference, of parent: String
    ) throws {
        let (record, field, value) = (copy.record, FieldPath(reference.field), JSONValue.string(parent))
        let isHere = record.visible.document?[field] == value
        let isGone = record.parentDeletions.contains {
            $0.reference == reference && $0.parent == parent && record.isHit(by: $0)
        }
        guard let document = record.alone.document, document[field] == value, isHere || isGone,
            let child = try? WireCoding.value(type, from: document)
        else { return }
        switch reference.onDelete {
        case .clear:
            let cleared = try Patch<Child>(changes: [reference.field: .null]).applied(to: child)
            changes.add(.updated(cleared, to: child))
            if !isHere { try append(.update(FieldPatch([field: value])), to: record, of: copy) }
        case .cascade:
            changes.add(.created(child))
            if !isHere {
                try append(.delete, to: record, of: copy)
                let deleted = try replica.load(type, copy.key.id)
                try append(.create(try WireCoding.fields(of: child)), to: deleted.record, of: deleted)
            }
            try bringBackChildren(of: copy.key)
        }
    }

    /// Changes a record and queues the changed fields; nil where nothing differs.
    ///
    /// - Returns: The mutation that carries the change.
    @discardableResult
    func update<Entity: SyncEntity>(_ entity: Entity) throws -> PendingMutation? {
        try demandKnown(Entity.entityType)
        try store.begin()
        guard let former = try store.find(Entity.self, id: entity.id)?.entity else {
            throw SyncEngineError.notFound(entityType: Entity.entityType, id: entity.id)
        }
        try validate(entity, over: former)
        let patch = FieldPatch(
            from: try WireCoding.fields(of: former), to: try WireCoding.fields(of: entity), shape: Entity.shape)
        if patch.isEmpty { return nil }
        changes.add(.updated(former, to: entity))
        let copy = try replica.load(Entity.self, entity.id)
        return try append(.update(patch), to: copy.record, of: copy)
    }

    /// Deletes a record and queues the deletion; its children go or are cleared by the schema's rules.
    ///
    /// - Returns: The deletion; nil if the server never had the record, so that nothing is to be sent.
    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> PendingMutation? {
        try demandKnown(Entity.entityType)
        try store.begin()
        guard let entity = try store.find(type, id: id)?.entity else {
            throw SyncEngineError.notFound(entityType: Entity.entityType, id: id)
        }
        let copy = try replica.load(type, id)
        var record = copy.record
        let deletion = OpenOperation(.delete, key: replica.identifiers.makeId(), position: .max)
        let appended = record.append(deletion, after: try replica.floor(of: .delete, copy))
        try GivenUpRecords(replica: replica).add(copy, left: record)
        if case .cancelled = appended {
            // The server never hears of the record, so its children get operations of their own.
            try deleteChildren(of: type, id)
            try replica.save(copy, as: record, settled: { _ in .merged(into: nil) })
            changes.add(.deleted(entity))
            return nil
        }
        try noteChildren(of: type, id)
        let replaced = if case .replaced(let keys) = appended { keys } else { [String]() }
        let mutation = try replica.saveJoined(copy, as: record, under: deletion.key, insteadOf: replaced)
        changes.add(.deleted(entity))
        return mutation
    }

    /// Deletes records, each once, as ``delete(_:id:)`` does.
    ///
    /// Those that are as the server has them, which most of many are, go a thousand at a time.
    func delete<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws {
        try store.begin()
        let hasChildren = !schema.children(of: Entity.entityType).isEmpty
        for chunk in ids.chunks(of: 1_000) {
            let records = hasChildren ? [:] : try store.fetch(type, ids: chunk)
            let copies = hasChildren ? [:] : try replica.load(type, chunk)
            var synced: [LocalCopy] = []
            for id in chunk {
                guard let record = records[id], let copy = copies[id], copy.status == .synced,
                    copy.record.operations.isEmpty
                else {
                    try delete(type, id: id)
                    continue
                }
                synced.append(copy)
                changes.add(.deleted(record.entity))
            }
            if synced.isEmpty { continue }
            try demandKnown(Entity.entityType)
            try replica.delete(synced, of: type)
        }
    }

    // MARK: Operations

    /// Appends an operation to a record and saves it. An edit takes the place of what the server has refused.
    ///
    /// - Returns: The mutation that carries it.
    @discardableResult
    func append(_ change: OpenOperation.Change, to record: OpenRecord, of copy: LocalCopy) throws -> PendingMutation? {
        var record = record
        let operation = OpenOperation(change, key: replica.identifiers.makeId(), position: .max)
        let appended =
            try replica.supersede(copy.refused, of: copy, in: &record, by: operation)
            ?? record.append(operation, after: replica.floor(of: change, copy))
        let replaced = if case .replaced(let keys) = appended { keys } else { [String]() }
        let added = try replica.saveJoined(copy, as: record, under: operation.key, insteadOf: replaced)
        guard case .merged(let key) = appended else { return added }
        return try copy.mutations[key].flatMap { try store.findMutation(id: $0.id) }
    }

    // MARK: Children

    private func deleteChildren(of parent: any SyncEntity.Type, _ id: String) throws {
        for (type, reference) in schema.children(of: parent.entityType) {
            for child in try replica.children(type, reference, of: id) { try give(up: type, child, reference, of: id) }
        }
    }

    /// Deletes a record that cannot be without its parent, or takes the parent out of it.
    private func give<Child: SyncEntity>(
        up type: Child.Type, _ id: String, _ reference: ParentReference, of parent: String
    ) throws {
        guard let child = try store.find(type, id: id)?.entity else { return }
        if let present = try WireCoding.fields(of: child)[reference.field]?.stringValue, present != parent {
            // The child was made beneath that parent, and was moved since.
            return try replica.move(replica.load(type, id), reference.field, from: parent, to: present)
        }
        if reference.onDelete == .cascade {
            try delete(type, id: id)
        } else {
            changes.add(.updated(child, to: try Patch<Child>(changes: [reference.field: .null]).applied(to: child)))
            let copy = try replica.load(type, id)
            try append(.update(FieldPatch([FieldPath(reference.field): .null])), to: copy.record, of: copy)
        }
    }

    /// Notes what a deletion does to the records that belong to the deleted one.
    private func noteChildren(of parent: any SyncEntity.Type, _ id: String) throws {
        for (type, reference) in schema.children(of: parent.entityType) { try note(type, reference, id) }
    }

    private func note<Child: SyncEntity>(_ type: Child.Type, _ reference: ParentReference, _ parent: String) throws {
        for child in try store.fetch(type, where: FieldCondition(reference.field, equals: parent)).map(\.entity) {
            if reference.onDelete == .cascade {
                try noteChildren(of: type, child.id)
                changes.add(.deleted(child))
            } else {
                let cleared = try Patch<Child>(changes: [reference.field: .null]).applied(to: child)
                changes.add(.updated(child, to: cleared))
            }
        }
    }

    // MARK: Rules

    /// Refuses a kind that is not in the schema, because nothing of it would ever be sent.
    private func demandKnown(_ type: EntityType) throws {
        if schema.type(for: type) == nil { throw SyncEngineError.unknownEntityType(type) }
    }

    /// Refuses what a person must not write; see ``SyncEntity/validate(over:isHere:)``.
    func validate<Entity: SyncEntity>(_ entity: Entity, over former: Entity?) throws {
        try entity.validate(over: former) { reference, id in
            // The write lock keeps the parent here until the save.
            try store.begin()
            return try !store.standings(reference.entityType, ids: [id]).isEmpty
        }
    }
}
