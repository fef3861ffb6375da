import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Takes steps back, as new changes, and leaves alone what others have changed since.
struct Reversal {
    let writes: LocalWrites
    let schema: EntitySchema
    var summary = ReversalSummary()
    /// What comes back where an edit is taken back that won against it.
    var lost = OverruledValues()
    /// Told how far it is.
    var progress: ReversalProgress?
    /// Records that the same change had made: they go with it.
    private var made: Set<String> = []
    /// The kinds of those records.
    private var madeKinds: Set<EntityType> = []
    /// Records that are there again, and have brought along what belongs to them.
    private var returned: Set<String> = []

    init(writes: LocalWrites, schema: EntitySchema) {
        self.writes = writes
        self.schema = schema
    }

    /// - Throws: ``CommandFailure`` where the change cannot be taken back without harm, or `CancellationError`; nothing
    ///   is changed then.
    mutating func run(_ steps: [UndoStep]) throws {
        let creations = steps.filter { $0.operation == .create }
        made = Set(creations.map(\.id))
        madeKinds = Set(creations.map(\.entityType))
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

    /// So many records that an import made are deleted at once.
    private static let stepsAtOnce = 1000

    private mutating func run<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        switch step.operation {
        case .create: try unmake(step, type)
        case .delete: try bringBack(step, type)
        case .update: try unedit(step, type)
        }
    }

    // MARK: A create

    private mutating func unmake<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        guard let record = try writes.find(type, id: step.id) else { return summary.skip(step) }
        for (child, reference) in schema.children(of: Entity.entityType) where reference.onDelete == .cascade {
            try requireNoOthers(child, reference, of: step)
        }
        let fields = try WireCoding.fields(of: record)
        if try !goesWithParent(fields, Entity.parents) { try writes.delete(type, id: step.id) }
        summary.add(step, record: fields)
    }

    /// Deletes records of a kind that no others belong to.
    private mutating func unmake<Entity: SyncEntity>(_ steps: [UndoStep], _ type: Entity.Type) throws {
        let records = try writes.find(type, ids: steps.map(\.id))
        let canGoWithParent = Entity.parents.contains { $0.onDelete == .cascade && madeKinds.contains($0.entityType) }
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

    /// Whether a record was made together with one that it cannot be without: the deletion of that takes it along.
    private func goesWithParent(_ fields: [String: JSONValue], _ parents: [ParentReference]) throws -> Bool {
        try parents.contains { reference in
            guard reference.onDelete == .cascade, let id = fields[reference.field]?.stringValue, made.contains(id),
                let parent = schema.type(for: reference.entityType)
            else { return false }
            return try isHere(parent, id)
        }
    }

    /// Refuses to delete what has been used since: its events would go with it.
    private func requireNoOthers<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, of step: UndoStep
    ) throws {
        let others = try writes.fetch(type, where: FieldCondition(reference.field, equals: step.id))
            .filter { !made.contains($0.id) }.count
        guard others > 0 else { return }
        let kind = step.entityType.displayName
        let children = counted(others, Child.entityType.displayName)
        throw CommandFailure.data(
            "this would delete the \(kind) (\(ShortId.of(step.id))), which has \(children) by now, with them; delete it with 'trendy type rm' if you mean it"
        )
    }

    // MARK: A deletion

    private mutating func bringBack<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        guard let fields = step.before else { return summary.skip(step) }
        if let present = try writes.find(type, id: step.id) {
            let fields = try WireCoding.fields(of: present)
            guard hasReturned(fields, Entity.parents) else { return summary.skip(step) }
            returned.insert(step.id)
            return summary.add(step, record: fields)
        }
        let record = try WireCoding.value(Entity.self, from: fields)
        // It was here as it is, whatever a person may enter.
        try writes.adopt(try withParents(record))
        returned.insert(step.id)
        summary.add(step, record: fields)
    }

    /// Whether a record is here again because one is that it belongs to.
    private func hasReturned(_ fields: [String: JSONValue], _ parents: [ParentReference]) -> Bool {
        parents.contains { fields[$0.field]?.stringValue.map(returned.contains) ?? false }
    }

    /// The record as it can come back, without references to what is gone.
    ///
    /// - Throws: ``CommandFailure`` where what it belonged to is gone.
    func withParents<Entity: SyncEntity>(_ record: Entity) throws -> Entity {
        let fields = try WireCoding.fields(of: record)
        var cleared = Patch<Entity>()
        for reference in Entity.parents {
            guard let parentId = fields[reference.field]?.stringValue,
                let parent = schema.type(for: reference.entityType), try !isHere(parent, parentId)
            else { continue }
            guard reference.onDelete == .clear else {
                throw CommandFailure.data(
                    "the \(Entity.entityType.displayName) (\(ShortId.of(record.id))) cannot come back: the \(reference.entityType.displayName) that it belonged to (\(ShortId.of(parentId))) was deleted"
                )
            }
            cleared.changes[reference.field] = .null
        }
        return cleared.isEmpty ? record : try cleared.applied(to: record)
    }

    private func isHere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try writes.find(type, id: id) != nil
    }

    // MARK: An edit

    private mutating func unedit<Entity: SyncEntity>(_ step: UndoStep, _ type: Entity.Type) throws {
        guard let before = step.before, let after = step.after, let present = try writes.find(type, id: step.id)
        else { return summary.skip(step) }
        var fields = try WireCoding.fields(of: present)
        // A place that has another value by now was changed since, here or elsewhere.
        let changed = Entity.places(of: before).union(Entity.places(of: after)).filter { before[$0] != after[$0] }
        let untouched = changed.filter { fields[$0] == after[$0] }
        if untouched.isEmpty {
            guard changed.contains(where: { hasReturned($0, before, fields, Entity.parents) }) else {
                return summary.skip(step)
            }
            return summary.add(step, record: fields)
        }
        let former = fields
        for place in untouched.sorted() {
            fields[place] = before[place]
            let conflicts = lost.against(after[place], at: place, of: step)
            // Without the edit the value would stand that lost against it.
            guard let latest = conflicts.last, try fits(latest.remoteValue, at: place, in: former, type) else {
                continue
            }
            fields[place] = latest.remoteValue
            for conflict in conflicts { try writes.dismissConflict(id: conflict.id) }
            summary.settle(latest)
        }
        try writes.update(try WireCoding.value(Entity.self, from: fields))
        summary.add(step, record: former)
    }

    /// Whether a reference is what it was because the record that it names is there again.
    private func hasReturned(
        _ place: FieldPath, _ before: [String: JSONValue], _ fields: [String: JSONValue], _ parents: [ParentReference]
    ) -> Bool {
        fields[place] == before[place] && hasReturned(fields, parents.filter { FieldPath($0.field) == place })
    }

    /// Whether a place can have a value: it is one of its kind, and what it refers to is here.
    private func fits<Entity: SyncEntity>(
        _ value: JSONValue, at place: FieldPath, in fields: [String: JSONValue], _ type: Entity.Type
    ) throws -> Bool {
        var fields = fields
        fields[place] = value
        guard (try? WireCoding.value(type, from: fields)) != nil else { return false }
        guard let id = value.stringValue, let reference = Entity.parents.first(where: { FieldPath($0.field) == place }),
            let parent = schema.type(for: reference.entityType)
        else { return true }
        return try isHere(parent, id)
    }
}

/// What taking a change back, or doing it again, has done.
struct ReversalSummary: Sendable {
    /// The steps that were taken back, the newest first.
    private(set) var steps: [UndoStep] = []
    /// The steps that could not be: what they were about is gone or was changed since.
    private(set) var skipped: [UndoStep] = []
    /// The conflicts whose losing values have come back.
    private(set) var settled: [SyncConflict] = []

    /// The records of the first steps, to name them by.
    private var records: [[String: JSONValue]] = []
    /// More steps are counted, and not named.
    private static let namedSteps = 8

    /// Whether the record of the next step is kept.
    var namesMore: Bool { steps.count < Self.namedSteps }

    mutating func add(_ step: UndoStep, record: [String: JSONValue]) {
        if namesMore { records.append(record) }
        steps.append(step)
    }

    /// The record that a step was about; nil where there are too many to name them.
    func record(of step: UndoStep) -> [String: JSONValue]? {
        guard let place = steps.firstIndex(of: step), records.indices.contains(place) else { return nil }
        return records[place]
    }

    mutating func skip(_ step: UndoStep) { skipped.append(step) }

    mutating func settle(_ conflict: SyncConflict) { settled.append(conflict) }
}

/// The values from elsewhere that lost against those of this device, and are listed as conflicts.
struct OverruledValues {
    private var conflicts: [SyncConflict] = []

    /// None.
    init() {}

    init(_ store: any DataStoreProtocol) throws {
        conflicts = try store.fetchDocuments(SyncConflict.self)
            .filter { $0.kind == .field && $0.losingSide != .here }
            .sorted { ($0.detectedAt, $0.id) < ($1.detectedAt, $1.id) }
    }

    /// The conflicts that an edit of a field has won, the latest last.
    ///
    /// What was found before the edit was made was won by another one of the same value.
    ///
    /// - Parameter value: What the edit has made of the field, or of a key of it.
    func against(_ value: JSONValue, at place: FieldPath, of step: UndoStep) -> [SyncConflict] {
        conflicts.filter { conflict in
            if let at = step.at, conflict.detectedAt < at { return false }
            return conflict.entityType == step.entityType && conflict.entityId == step.id && conflict.place == place
                && conflict.localValue == value
        }
    }
}

/// What a person can do and not take back.
///
/// It is noted all the same, so that nothing older is taken back in its stead.
enum IrreversibleCommand: String, Sendable {
    case queueDrop = "queue drop"
    case conflictsDismiss = "conflicts dismiss"

    /// Why it cannot be taken back, for a person.
    var refusal: String {
        let reason =
            switch self {
            case .queueDrop: "what was given up is gone"
            case .conflictsDismiss: "the record went as it had elsewhere"
            }
        return "the last change here was made by 'trendy \(rawValue)' and cannot be taken back: \(reason); "
            + "'trendy undo' once more takes back what was changed before it"
    }
}

extension EntityType {
    /// What cannot be taken back; the command is its id.
    static let irreversibleCommand: EntityType = "final_deed"
}

extension UndoStep {
    init(_ deed: IrreversibleCommand) { self.init(.delete, .irreversibleCommand, deed.rawValue) }

    /// What cannot be taken back, where the step is that.
    var irreversibleCommand: IrreversibleCommand? {
        entityType == .irreversibleCommand ? IrreversibleCommand(rawValue: id) : nil
    }
}
