import Foundation
import TrendyDomain

extension RecordWriter {
    /// Deletes a record, and before it what cannot be without it. Records that only refer to it stay, with
    /// that field emptied. Each change is logged, children before their parents.
    mutating func delete(_ key: RecordKey) throws {
        let record = try existing(key)
        forgetParents()
        var doomed: Set<RecordKey> = []
        try delete(record, &doomed)
    }

    /// The records that cannot be without that one, theirs included.
    func dependents(of key: RecordKey) throws -> [StoredRecord] {
        var found: [RecordKey: StoredRecord] = [:]
        var waiting = try [existing(key)]
        while let record = waiting.popLast() {
            for (type, reference) in catalog.schema.children(of: record.key.entityType)
            where reference.onDelete == .cascade {
                for child in try childKeys(type.entityType, reference, of: record)
                where child != key && found[child] == nil {
                    guard let child = try transaction.record(child) else { continue }
                    found[child.key] = child
                    waiting.append(child)
                }
            }
        }
        return Array(found.values)
    }

    private func delete(_ record: StoredRecord, _ doomed: inout Set<RecordKey>) throws {
        guard doomed.insert(record.key).inserted else { return }
        let children = catalog.schema.children(of: record.key.entityType)
        for (type, reference) in children where reference.onDelete == .cascade {
            for child in try childKeys(type.entityType, reference, of: record) where !doomed.contains(child) {
                if let child = try transaction.record(child) { try delete(child, &doomed) }
            }
        }
        try clearReferences(to: record, children.filter { $0.reference.onDelete == .clear })
        let kind = try catalog.kind(record.key.entityType)
        try transaction.delete(record.key, index: kind.codec.index(of: record.document))
        try transaction.save([Tombstone(key: record.key, revision: revisions.next(), at: now)], userId: userId)
        try log(.delete, record.key, nil)
    }

    /// Empties the fields that name a record; a child that names it twice changes once.
    private func clearReferences(
        to record: StoredRecord, _ references: [(type: any SyncEntity.Type, reference: ParentReference)]
    ) throws {
        var fields: [RecordKey: [String]] = [:]
        var order: [RecordKey] = []
        for (type, reference) in references {
            for child in try childKeys(type.entityType, reference, of: record) where child != record.key {
                if fields[child] == nil { order.append(child) }
                fields[child, default: []].append(reference.field)
            }
        }
        for key in order {
            guard let child = try transaction.record(key) else { continue }
            let kind = try catalog.kind(key.entityType)
            let cleared = try kind.codec.clearing(fields[key] ?? [], in: child.document)
            _ = try replace(child, by: cleared, kind)
        }
    }

    private func childKeys(
        _ type: EntityType, _ reference: ParentReference, of record: StoredRecord
    ) throws -> [RecordKey] {
        try transaction.children(type, of: RecordIndex.Reference(field: reference.field, parent: record.key))
            .map { RecordKey(type, $0) }
    }
}
