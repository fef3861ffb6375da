import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Undoes steps by new changes, and keeps fields that were changed since then.
struct Reversal {
    let writes: LocalWrites
    let schema: EntitySchema
    var summary = ReversalSummary()
    /// The values that return when the edit that overruled them is undone.
    var lost = OverruledValues()
    /// Receives the progress.
    var progress: ReversalProgress?
    /// The records that the undone change had created.
    private var created: Set<String> = []
    private var createdKinds: Set<EntityType> = []
    /// The restored records; their children are restored with them.
    private var returned: Set<String> = []

    init(writes: LocalWrites, schema: EntitySchema) {
        self.writes = writes
        self.schema = schema
    }

    /// - Throws: ``CommandFailure`` if the change cannot be undone without harm, or `CancellationError`. Nothing is
    ///   changed then.
    mutating func run(_ steps: [UndoStep]) throws {
        let creations = steps.filter { $0.operation == .create }
        created = Set(creations.map(\.id))
        createdKinds = Set(creations.map(\.entityType))
        progress?.begin(steps.count)
        var rest = steps.reversed()[...]
        while let step = rest.first {
            try Task.checkCancellation()
            let alike = rest.prefix(Self.stepsAtOnce).prefix {
                $0.operation == .create && $0.entityType == step.entityType
            }
            if let type = schema.type(for: step.entityType), alike.count > 1,
                !schema.children(of: step.entityType).contains(where: { $0.reference.onDelete == .cascade })
            {
                try unmake(Array(alike), type)
                rest = rest.dropFirst(alike.count)
                progress?.step(by: alike.count)
                continue
            }
            rest = rest.dropFirst()
            progress?.step()
            switch step.entityType {
            case .timer: try runTimer(step)
            case .alias: try runAlias(step)
            default: if let type = schema.type(for: step.entityType) { try run(step, type) } else { summary.skip(step) }
            }
        }
    }

    /// How many created records are deleted at once; an import has many.
    private static let stepsAtOnce = 1000

    private mutating func run<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        switch step.operation {
        case .create: try unmake(step, type)
        case .delete: try bringBack(step, type)
        case .update: try unedit(step, type)
        }
    }

    // MARK: Creations

    private mutating func unmake<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        guard let record = try writes.find(type, id: step.id) else { return summary.skip(step) }
        for (child, reference) in schema.children(of: Entity.entityType) where reference.onDelete == .cascade {
            try requireNoOthers(child, reference, of: step)
        }
        let fields = try WireCoding.fields(of: record)
        if try !goesWithParent(fields, Entity.parents) { try writes.delete(type, id: step.id) }
        summary.add(step, record: fields)
    }

    /// Deletes records of a kind that has no children.
    private mutating func unmake<Entity: SyncEntity>(_ steps: [UndoStep], _ type: Entity.Type) throws {
        let records = try writes.find(type, ids: steps.map(\.id))
        let canGoWithParent = Entity.parents.contains {
            $0.onDelete == .cascade && createdKinds.contains($0.entityType)
        }
        var ids: [String] = []
        for step in steps {
            guard let record = records[step.id] else {
                summary.skip(step)
                continue
            }
            let fields = canGoWithParent || summary.namesMore ? try WireCoding.fields(of: record) : [:]
            if try !canGoWithParent || !goesWithParent(fields, Entity.parents) { ids.append(step.id) }
            summary.add(step, record: fields)
        }
        try writes.delete(type, ids: ids)
    }

    /// Whether the same change created the record's parent: deleting the parent deletes the record.
    private func goesWithParent(_ fields: [String: JSONValue], _ parents: [ParentReference]) throws -> Bool {
        try parents.contains { reference in
            guard reference.onDelete == .cascade, let id = fields[reference.field]?.stringValue, created.contains(id),
                let parent = schema.type(for: reference.entityType)
            else { return false }
            return try isHere(parent, id)
        }
    }

    /// Refuses to delete a record that has got children since then: they would be deleted with it.
    private func requireNoOthers<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, of step: UndoStep
    ) throws {
        let others = try writes.fetch(type, where: FieldCondition(reference.field, equals: step.id))
            .filter { !created.contains($0.id) }.count
        guard others > 0 else { return }
        let kind = step.entityType.displayName
        let children = counted(others, Child.entityType.displayName)
        throw CommandFailure.data(
            "undo would delete the \(kind) (\(ShortId.of(step.id))) together with \(children) that came later; if you want that, use 'trendy type rm'"
        )
    }

    // MARK: Deletions

    private mutating func bringBack<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        guard let fields = step.before else { return summary.skip(step) }
        if let present = try writes.find(type, id: step.id) {
            let fields = try WireCoding.fields(of: present)
            guard hasReturned(fields, Entity.parents) else { return summary.skip(step) }
            returned.insert(step.id)
            return summary.add(step, record: fields)
        }
        let needed = try Entity.parents.first { try $0.onDelete == .cascade && isLost($0, in: fields) }
        if let needed { return summary.skip(step, without: needed.entityType) }
        let record = try WireCoding.value(Entity.self, from: fields)
        // The record was stored like this before, so the rules for new input do not apply.
        try writes.adopt(try withParents(record))
        returned.insert(step.id)
        summary.add(step, record: fields)
    }

    /// Whether a record was restored with its parent.
    private func hasReturned(_ fields: [String: JSONValue], _ parents: [ParentReference]) -> Bool {
        parents.contains { fields[$0.field]?.stringValue.map(returned.contains) ?? false }
    }

    /// The record without optional references to deleted records.
    func withParents<Entity: SyncEntity>(_ record: Entity) throws -> Entity {
        let fields = try WireCoding.fields(of: record)
        var cleared = Patch<Entity>()
        for reference in Entity.parents where reference.onDelete == .clear {
            if try isLost(reference, in: fields) { cleared.changes[reference.field] = .null }
        }
        return cleared.isEmpty ? record : try cleared.applied(to: record)
    }

    /// Whether the record that a reference names was deleted.
    private func isLost(_ reference: ParentReference, in fields: [String: JSONValue]) throws -> Bool {
        guard let id = fields[reference.field]?.stringValue, let parent = schema.type(for: reference.entityType)
        else { return false }
        return try !isHere(parent, id)
    }

    private func isHere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try writes.find(type, id: id) != nil
    }

    // MARK: Edits

    private mutating func unedit<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        guard let before = step.before, let after = step.after, let present = try writes.find(type, id: step.id)
        else { return summary.skip(step) }
        var fields = try WireCoding.fields(of: present)
        // A field that has another value now was changed since then, here or on another device.
        let changed = Entity.places(of: before).union(Entity.places(of: after)).filter { before[$0] != after[$0] }
        let untouched = changed.filter { fields[$0] == after[$0] }
        if untouched.isEmpty {
            guard changed.contains(where: { hasReturned($0, before, fields, Entity.parents) }) else {
                return summary.skip(step)
            }
            return summary.add(step, record: fields)
        }
        let former = fields
        var lostParent: EntityType?
        for place in untouched.sorted() {
            if let reference = Entity.parents.first(where: { FieldPath($0.field) == place }),
                try isLost(reference, in: before)
            {
                lostParent = reference.entityType
                continue
            }
            fields[place] = before[place]
            let conflicts = lost.against(after[place], at: place, of: step)
            // Without the edit, the overruled value would have stayed.
            guard let latest = conflicts.last, try fits(latest.remoteValue, at: place, in: former, type) else {
                continue
            }
            fields[place] = latest.remoteValue
            for conflict in conflicts { try writes.dismissConflict(id: conflict.id) }
            summary.settle(latest)
        }
        if let lostParent, fields == former { return summary.skip(step, without: lostParent) }
        try writes.update(try WireCoding.value(Entity.self, from: fields))
        summary.add(step, record: former)
    }

    /// Whether a reference has its former value because the record that it names was restored.
    private func hasReturned(
        _ place: FieldPath, _ before: [String: JSONValue], _ fields: [String: JSONValue], _ parents: [ParentReference]
    ) -> Bool {
        fields[place] == before[place] && hasReturned(fields, parents.filter { FieldPath($0.field) == place })
    }

    /// Whether a field can have a value: the kind is right, and a referenced record exists.
    private func fits<Entity: SyncEntity>(
        _ value: JSONValue, at place: FieldPath, in fields: [String: JSONValue], _ type: Entity.Type
    ) throws -> Bool {
        var fields = fields
        fields[place] = value
        guard (try? WireCoding.value(type, from: fields)) != nil else { return false }
        guard let reference = Entity.parents.first(where: { FieldPath($0.field) == place }) else { return true }
        return try !isLost(reference, in: fields)
    }
}

/// The result of an undo or a redo.
struct ReversalSummary: Sendable {
    /// The undone steps, the newest first.
    private(set) var steps: [UndoStep] = []
    /// The steps that were skipped: their records were deleted or changed since then, or need one that was deleted.
    private(set) var skipped: [UndoStep] = []
    /// The kinds of the deleted records for want of which steps were skipped.
    private(set) var lostParents: [UndoStep: EntityType] = [:]
    /// The conflicts whose overruled values were restored.
    private(set) var settled: [SyncConflict] = []

    /// The records of the first steps, to name them by.
    private var records: [[String: JSONValue]] = []
    /// If there are more steps, the text only counts them.
    private static let namedSteps = 8

    /// Whether the record of the next step is kept for its name.
    var namesMore: Bool { steps.count < Self.namedSteps }

    mutating func add(_ step: UndoStep, record: [String: JSONValue]) {
        if namesMore { records.append(record) }
        steps.append(step)
    }

    /// The record of a step; nil for the later ones of many steps.
    func record(of step: UndoStep) -> [String: JSONValue]? {
        guard let place = steps.firstIndex(of: step), records.indices.contains(place) else { return nil }
        return records[place]
    }

    /// - Parameter parent: The kind of the deleted record that the step needs.
    mutating func skip(_ step: UndoStep, without parent: EntityType? = nil) {
        skipped.append(step)
        if let parent { lostParents[step] = parent }
    }

    mutating func settle(_ conflict: SyncConflict) { settled.append(conflict) }
}

/// The values of other devices that were overruled by values of this device, and are listed as conflicts.
struct OverruledValues {
    private var conflicts: [SyncConflict] = []

    init() {}

    init(_ store: any DataStoreProtocol) throws {
        conflicts = try store.fetchDocuments(SyncConflict.self)
            .filter { $0.kind == .field && $0.losingSide != .here }
            .sorted { ($0.detectedAt, $0.id) < ($1.detectedAt, $1.id) }
    }

    /// The conflicts that an edit of a field has won, the latest last.
    ///
    /// A conflict that is older than the edit was won by an earlier edit with the same value.
    ///
    /// - Parameter value: The value that the edit gave to the field, or to a key of it.
    func against(_ value: JSONValue, at place: FieldPath, of step: UndoStep) -> [SyncConflict] {
        conflicts.filter { conflict in
            if let at = step.at, conflict.detectedAt < at { return false }
            return conflict.entityType == step.entityType && conflict.entityId == step.id && conflict.place == place
                && conflict.localValue == value
        }
    }
}

/// A command that cannot be undone.
///
/// It is recorded nevertheless, so that `undo` does not undo an older change instead.
enum IrreversibleCommand: String, Sendable {
    case queueDrop = "queue drop"
    case conflictsDismiss = "conflicts dismiss"

    /// The message that refuses to undo it.
    var refusal: String {
        let reason =
            switch self {
            case .queueDrop: "dropped changes are deleted"
            case .conflictsDismiss: "the record was deleted, as on the other device"
            }
        return "'trendy \(rawValue)', the last change, cannot be undone: \(reason); "
            + "the next 'trendy undo' undoes the change before it"
    }
}

extension EntityType {
    /// The kind of a step that records an ``IrreversibleCommand``, whose name is the id.
    static let irreversibleCommand: EntityType = "final_deed"
}

extension UndoStep {
    init(_ deed: IrreversibleCommand) { self.init(.delete, .irreversibleCommand, deed.rawValue) }

    /// The irreversible command that the step records, if it does.
    var irreversibleCommand: IrreversibleCommand? {
        entityType == .irreversibleCommand ? IrreversibleCommand(rawValue: id) : nil
    }
}
