import Foundation
import TrendyDomain

/// Deletes the children of records with very many of them in pieces, before the records themselves are deleted.
///
/// Each piece is a transaction of its own, and the writes of others have their turn between two. What is left for the
/// transaction of the request is less than a piece. Where the request ends halfway, the children that are gone stay
/// gone, and the request that is sent again goes on: it was asked for when nothing stood in its way. From then on a
/// change of the parent, or of a child, ends the pieces, and the request finds that change itself.
struct LargeDeletion: Sendable {
    /// How many records a piece changes at most.
    static let recordLimit = 1_000
    /// How many bytes of documents a piece reads, and those of one more record.
    static let byteLimit = 8 << 20

    /// A record that the request deletes.
    struct Target: Sendable {
        var key: RecordKey
        /// The revision at which it may be deleted; nil for any.
        var base: Int64?
        /// A child that has changed after this revision stands in the way.
        var seen = Int64.max
    }

    private struct Piece {
        var doomed: [StoredRecord] = []
        /// The records that only refer to a target, and the fields that do.
        var emptied: [(record: StoredRecord, field: String)] = []
        /// What happens to each record of the piece.
        private var fates: [RecordKey: ParentReference.Deletion] = [:]

        /// How many records it changes.
        var count: Int { fates.count }

        /// Adds a child once, though several targets may have it, or one target by several fields.
        mutating func add(_ child: StoredRecord, by reference: ParentReference) {
            let fate = fates[child.key]
            if reference.onDelete == .cascade {
                if fate == nil { doomed.append(child) }
            } else if fate != .cascade {
                emptied.append((child, reference.field))
            }
            fates[child.key] = fate ?? reference.onDelete
        }
    }

    private let targets: [Target]
    /// What the request changes by its other mutations, and before the deletions: that is left to it.
    private let named: Set<RecordKey>
    private let catalog: RecordCatalog

    /// Looks, without changing anything, for the deletions that are too large for one transaction.
    ///
    /// Answers nil where there are none. Children with children of their own are deleted with the request.
    init?(
        _ targets: [Target], besides named: Set<RecordKey>, catalog: RecordCatalog, _ reader: AccountWriter
    ) throws {
        self.catalog = catalog
        self.named = named
        self.targets = try targets.filter { target in
            try Self.isFlat(target.key.entityType, catalog) && !named.contains(target.key)
                && !Self.hasUnseenChild(target, catalog, reader.transaction)
        }
        if self.targets.isEmpty { return nil }
        if try next(reader) == nil { return nil }
    }

    /// Whether a kind has children, of which those that are deleted with it have none.
    static func isFlat(_ type: EntityType, _ catalog: RecordCatalog) -> Bool {
        catalog.hasChildren(type)
            && catalog.schema.children(of: type).allSatisfy {
                $0.reference.onDelete != .cascade || !catalog.hasChildren($0.type.entityType)
            }
    }

    private static func hasUnseenChild(
        _ target: Target, _ catalog: RecordCatalog, _ transaction: any RecordTransaction
    ) throws -> Bool {
        if target.seen == .max { return false }
        return try catalog.schema.children(of: target.key.entityType).contains { type, reference in
            try reference.onDelete == .cascade
                && transaction.hasChild(type.entityType, of: reference.to(target.key), after: target.seen)
        }
    }

    /// Writes the next piece. Answers whether there was one.
    func carryOutPiece(_ writer: AccountWriter) throws -> Bool {
        guard let piece = try next(writer) else { return false }
        writer.know(piece.doomed + piece.emptied.map(\.record))
        var fields: [RecordKey: [String: JSONValue]] = [:]
        for (record, field) in piece.emptied { fields[record.key, default: [:]][field] = .null }
        try writer.empty(fields)
        for child in piece.doomed { try writer.delete(child.key) }
        try writer.save()
        writer.noteHistory()
        return true
    }

    /// The next piece; nil where what is left is less than one.
    private func next(_ writer: AccountWriter) throws -> Piece? {
        var piece = Piece()
        var bytes = Self.byteLimit
        for target in targets {
            guard let parent = try writer.record(target.key), parent.revision == target.base ?? parent.revision else {
                continue
            }
            let kinds = catalog.schema.children(of: target.key.entityType)
            // What is deleted is not changed before.
            let cascading = kinds.filter { $0.reference.onDelete == .cascade }
            let clearing = kinds.filter { $0.reference.onDelete == .clear }
            reading: for (type, reference) in cascading + clearing {
                // What is left out, or in the piece already, may be among those that are found.
                let limit = Self.recordLimit + named.count
                let found = try writer.transaction.children(
                    type.entityType, of: reference.to(target.key), limit: limit, byteLimit: bytes)
                for child in found {
                    bytes -= child.document?.count ?? 0
                    if !named.contains(child.key) {
                        if reference.onDelete == .cascade, child.revision > target.seen { break reading }
                        piece.add(child, by: reference)
                    }
                    if piece.count >= Self.recordLimit { return piece }
                    if bytes <= 0 { return piece.count == 0 ? nil : piece }
                }
            }
        }
        return nil
    }
}

extension ParentReference {
    fileprivate func to(_ parent: RecordKey) -> RecordIndex.Reference {
        RecordIndex.Reference(field: field, parent: parent)
    }
}
