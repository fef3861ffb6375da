import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QueueRetryCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Send refused or lost changes again with the next sync.",
        discussion: """
            If another device deleted the record, the retry restores it. If its type was deleted, too, set
            another one first: 'trendy queue edit 12 event_type_id=NAME'.
            Example:
              trendy queue retry 12 13
              trendy queue retry --all
              trendy queue retry --reason blamed
            """)

    @OptionGroup var selection: ChangeSelection

    @OptionGroup var common: CommonOptions

    /// From so many changes on, they are told together.
    private static let crowd = 10

    func check() throws { try selection.check() }

    func run(in context: CommandContext) async throws {
        var retry = QueueRetry(context: context)
        let isAll = selection.all && !selection.refused.isGiven
        try await retry.run(selection.changes(in: context) + (isAll ? context.datedEarlyMutations : []))
        if context.wantsJSON {
            try context.output.jsonArray(retry.changes)
        } else if retry.changes.isEmpty {
            try context.output.line("no refused changes")
        } else {
            let sent = retry.changes.filter { $0.obstacle == nil }
            if sent.count >= Self.crowd {
                try context.output.line("\(FigureText.text(sent.count)) changes will be sent by the next sync")
            } else {
                for change in sent { try context.output.line("\(change.shown.name) will be sent by the next sync") }
            }
        }
        try retry.end()
    }
}

/// Queues refused changes again, and finds the obstacles of those that cannot be sent.
@MainActor
struct QueueRetry {
    let context: CommandContext
    /// The result of each change, in the order of the attempts.
    private(set) var changes: [RetriedChange] = []
    private var refused: [(mutation: PendingMutation, obstacle: RetryObstacle)] = []

    init(context: CommandContext) {
        self.context = context
    }

    /// Queues these changes again, as far as possible.
    mutating func run(_ mutations: [PendingMutation]) async throws {
        let schema = EntitySchema.trendy
        // Parents come first, so that their children can refer to them.
        let ordered = mutations.sorted {
            (schema.rank(of: $0.entityType), $0.id) < (schema.rank(of: $1.entityType), $1.id)
        }
        for mutation in ordered { try await retry(mutation) }
    }

    /// Reports the changes that could not be sent: one line per reason, the last one as the error.
    func end() throws {
        var lines = summary
        guard let last = lines.popLast() else { return }
        for line in lines { try context.remark(line) }
        let isTooEarly = refused.allSatisfy { $0.obstacle.isPassing }
        throw CommandFailure(isTooEarly ? .tryLater : .data, last)
    }

    private mutating func retry(_ mutation: PendingMutation) async throws {
        let present = try context.reader.mutation(id: mutation.id) ?? mutation
        // Restoring a record settles all its changes at once.
        if mutation.state.name == .parked, present.state.name != .parked { return }
        if let obstacle = try lostParent(of: present) { return refuse(present, obstacle) }
        do {
            try await context.store.retryMutation(id: mutation.id)
        } catch let error as LedgerError {
            return refuse(present, .other(error))
        }
        let retried = try context.reader.mutation(id: mutation.id) ?? mutation
        changes.append(RetriedChange(shown: QueuedMutation(retried, withOutcome: true)))
    }

    // MARK: Obstacles

    private mutating func refuse(_ mutation: PendingMutation, _ obstacle: RetryObstacle) {
        refused.append((mutation, obstacle))
        changes.append(
            RetriedChange(
                shown: QueuedMutation(mutation, withOutcome: true), obstacle: obstacle.text(for: [mutation])))
    }

    private var summary: [String] {
        var groups: [[PendingMutation]] = []
        var places: [RetryObstacle: Int] = [:]
        for (mutation, obstacle) in refused {
            if let place = places[obstacle] {
                groups[place].append(mutation)
            } else {
                places[obstacle] = groups.count
                groups.append([mutation])
            }
        }
        let obstacles = places.sorted { $0.value < $1.value }.map(\.key)
        return zip(obstacles, groups).map { $0.line(for: $1) }
    }

    /// The missing parent of the record; without it the server would refuse the change again.
    private func lostParent(of mutation: PendingMutation) throws -> RetryObstacle? {
        guard mutation.state.name == .parked else { return nil }
        return try MissingParents(context: context).lostParent(of: mutation).map { .lostParent($0) }
    }
}

/// Why a change cannot be sent again.
enum RetryObstacle: Hashable {
    case lostParent(LostParent)
    case other(LedgerError)

    /// Whether it may disappear by itself.
    var isPassing: Bool {
        if case .other(.sending) = self { true } else { false }
    }

    /// The obstacle and its remedy for the changes that it blocks: `change 12: its event type was deleted: …`.
    func line(for mutations: [PendingMutation]) -> String {
        let text = text(for: mutations)
        guard case .lostParent = self else { return text }
        let numbers = mutations.prefix(3).map { String($0.id) } + (mutations.count > 3 ? ["…"] : [])
        let list = numbers.joined(separator: ", ")
        return mutations.count == 1 ? "change \(list): \(text)" : "\(mutations.count) changes (\(list)): \(text)"
    }

    /// The same without the numbers of the changes.
    func text(for mutations: [PendingMutation]) -> String {
        switch self {
        case .other(let error): CommandFailure(error).message
        case .lostParent(let parent):
            if mutations.count == 1, let only = mutations.first {
                QueuedMutation(only, without: parent).help ?? ""
            } else {
                Self.help(for: mutations, parent)
            }
        }
    }

    private static func help(for mutations: [PendingMutation], _ parent: LostParent) -> String {
        let reference = parent.reference
        let fact = "their \(reference.entityType.displayName) was deleted: "
        let wayBack = parent.keeper.map { "'trendy queue retry \($0)' restores it, or " } ?? ""
        let isRetried = mutations.contains { $0.parkCode == .deletedElsewhere }
        let rest = isRetried ? ", then 'trendy queue retry --all' restores them" : " and sends it"
        return "\(fact)\(wayBack)'trendy queue edit NUMBER \(reference.field)=NAME' sets another one for each\(rest), "
            + "'trendy queue drop NUMBER …' drops them"
    }
}

/// A change that was retried, with its obstacle, as JSON.
struct RetriedChange: Encodable {
    let shown: QueuedMutation
    /// The obstacle and its remedy; nil if the change will be sent.
    var obstacle: String?

    func encode(to encoder: any Encoder) throws {
        try shown.encode(to: encoder)
        try JSONFields(["obstacle": obstacle]).encode(to: encoder)
    }
}

/// A deleted parent that a record needs.
struct LostParent: Hashable {
    let reference: ParentReference
    let id: String
    /// The parked change that restores the parent; nil if the parent is gone from here.
    let keeper: Int64?
}

/// Finds records whose parents were deleted.
@MainActor
struct MissingParents {
    let context: CommandContext

    /// The deleted parent that the record of a change needs; nil if no parent is missing.
    func lostParent(of mutation: PendingMutation) throws -> LostParent? {
        mutation.operation == .delete ? nil : try lostParent(of: mutation.entityType, mutation.entityId)
    }

    /// The deleted parent that a record needs.
    func lostParent(of entityType: EntityType, _ id: String) throws -> LostParent? {
        guard let type = EntitySchema.trendy.type(for: entityType),
            let fields = try context.reader.fields(of: entityType, id: id)
        else { return nil }
        for reference in type.parents where reference.onDelete == .cascade {
            guard let parent = fields[reference.field]?.stringValue else { continue }
            let parked = MutationQuery(states: [.parked], entityType: reference.entityType, entityId: parent)
            let keeper = try context.reader.mutations(parked).first { $0.parkCode == .deletedElsewhere }?.id
            if try keeper != nil || !isHere(reference.entityType, parent) {
                return LostParent(reference: reference, id: parent, keeper: keeper)
            }
        }
        return nil
    }

    /// Whether a record of that kind and id exists.
    func isHere(_ entityType: EntityType, _ id: String) throws -> Bool {
        guard let type = EntitySchema.trendy.type(for: entityType) else { return true }
        return try exists(type, id)
    }

    private func exists<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try context.reader.find(type, id: id) != nil
    }
}
