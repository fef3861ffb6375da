import ArgumentParser
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

struct QueueRetryCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Send refused changes again with the next sync.",
        discussion: """
            A change to a record that was deleted elsewhere puts the record back. Where what it belongs to was
            deleted, give it another first: 'trendy queue edit 12 event_type_id=NAME'.
            What cannot go is told, with what helps, and keeps nothing else back.
            Example:
              trendy queue retry 12 13
              trendy queue retry --all
            """)

    @Argument(help: "The numbers of the changes, from 'trendy queue list'.")
    var ids: [String] = []

    @Flag(name: .long, help: "Every change that was refused.")
    var all = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if ids.isEmpty != all { throw CommandFailure.usage("give the numbers of changes, or --all") }
    }

    func run(in context: CommandContext) async throws {
        var retry = QueueRetry(context: context)
        try await retry.run(all ? parked(context) : named(context))
        if context.wantsJSON {
            try context.output.jsonArray(retry.changes)
        } else if retry.changes.isEmpty {
            try context.output.line("nothing was refused")
        } else {
            for change in retry.changes where change.obstacle == nil {
                try context.output.line("\(change.shown.name) goes with the next sync")
            }
        }
        try retry.end()
    }

    @MainActor
    private func named(_ context: CommandContext) throws -> [PendingMutation] {
        try ids.map { text in
            let id = try ChangeNumber.read(text)
            guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
            return mutation
        }
    }

    @MainActor
    private func parked(_ context: CommandContext) throws -> [PendingMutation] {
        try context.reader.mutations(MutationQuery(states: [.parked]))
    }
}

/// Sends refused changes again, and knows what stands in the way of those that cannot go.
@MainActor
struct QueueRetry {
    let context: CommandContext
    /// What became of each change, in the order in which they were tried.
    private(set) var changes: [RetriedChange] = []
    private var refused: [(mutation: PendingMutation, obstacle: RetryObstacle)] = []

    init(context: CommandContext) {
        self.context = context
    }

    /// Sends what it can of these changes.
    mutating func run(_ mutations: [PendingMutation]) async throws {
        let schema = EntitySchema.trendy
        // What comes back before that which belongs to it can be referred to again.
        let ordered = mutations.sorted {
            (schema.rank(of: $0.entityType), $0.id) < (schema.rank(of: $1.entityType), $1.id)
        }
        for mutation in ordered { try await retry(mutation) }
    }

    /// How to end where some could not go: a line for each reason, the last of them in the failure.
    func end() throws {
        var lines = summary
        guard let last = lines.popLast() else { return }
        for line in lines { try context.remark(line) }
        let isTooEarly = refused.allSatisfy { $0.obstacle.isPassing }
        throw CommandFailure(isTooEarly ? .tryLater : .data, last)
    }

    private mutating func retry(_ mutation: PendingMutation) async throws {
        let present = try context.reader.mutation(id: mutation.id) ?? mutation
        // Putting a record back settles every change of it at once.
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

    // MARK: What stands in the way

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

    /// What is missing of that without which a record cannot be: it would come back refused.
    private func lostParent(of mutation: PendingMutation) throws -> RetryObstacle? {
        guard mutation.state.name == .parked, mutation.operation != .delete,
            let type = EntitySchema.trendy.type(for: mutation.entityType),
            let fields = try context.reader.fields(of: mutation.entityType, id: mutation.entityId)
        else { return nil }
        let records = MissingParents(context: context)
        for reference in type.parents where reference.onDelete == .cascade {
            guard let id = fields[reference.field]?.stringValue else { continue }
            let parked = MutationQuery(states: [.parked], entityType: reference.entityType, entityId: id)
            let keeper = try context.reader.mutations(parked).first { $0.parkCode == .deletedElsewhere }?.id
            if try keeper != nil || !records.isHere(reference.entityType, id) {
                return .lostParent(reference, id, keeper: keeper)
            }
        }
        return nil
    }
}

/// Why a change cannot be sent again.
enum RetryObstacle: Hashable {
    /// The record cannot be without the one of that id, which is gone; the keeper is the change that brings it back.
    case lostParent(ParentReference, String, keeper: Int64?)
    case other(LedgerError)

    /// Whether it may be out of the way soon.
    var isPassing: Bool {
        if case .other(.sending) = self { true } else { false }
    }

    /// What it is and what helps, for the changes that it keeps back: `change 12: its event type is gone: …`.
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
        case .lostParent(let reference, _, let keeper):
            if mutations.count == 1, let only = mutations.first {
                Self.help(for: only, reference, keeper)
            } else {
                Self.help(for: mutations, reference, keeper)
            }
        }
    }

    private static func help(for mutation: PendingMutation, _ reference: ParentReference, _ keeper: Int64?) -> String {
        guard let keeper else { return QueuedMutation(mutation, without: reference).help ?? "" }
        let id = mutation.id
        return "its \(reference.entityType.displayName) was deleted: "
            + "'trendy queue retry \(keeper) \(id)' brings both back, "
            + "'trendy queue edit \(id) \(reference.field)=NAME' gives it another, 'trendy queue drop \(id)' lets it go"
    }

    private static func help(
        for mutations: [PendingMutation], _ reference: ParentReference, _ keeper: Int64?
    ) -> String {
        let fact = "their \(reference.entityType.displayName) \(keeper == nil ? "is gone" : "was deleted"): "
        let wayBack = keeper.map { "'trendy queue retry \($0)' brings it back, or " } ?? ""
        let isRetried = mutations.contains { $0.parkCode == .deletedElsewhere }
        let rest = isRetried ? ", then 'trendy queue retry --all' puts them back" : " and sends it"
        return "\(fact)\(wayBack)'trendy queue edit NUMBER \(reference.field)=NAME' gives each another\(rest), "
            + "'trendy queue drop NUMBER …' lets them go"
    }
}

/// What became of a change that was to be sent again, as JSON: the change, and what stands in its way.
struct RetriedChange: Encodable {
    let shown: QueuedMutation
    /// Why it could not go, and what helps; nil where it goes.
    var obstacle: String?

    func encode(to encoder: any Encoder) throws {
        try shown.encode(to: encoder)
        try JSONFields(["obstacle": obstacle]).encode(to: encoder)
    }
}

/// Tells which records cannot be sent because what they belong to is not here any more.
@MainActor
struct MissingParents {
    let context: CommandContext

    /// The field that names a missing record without which the record of a change cannot be; nil where all are here.
    func reference(of mutation: PendingMutation) throws -> ParentReference? {
        if mutation.operation == .delete { return nil }
        return try reference(of: mutation.entityType, mutation.entityId)
    }

    /// The same of a record.
    func reference(of entityType: EntityType, _ id: String) throws -> ParentReference? {
        guard let type = EntitySchema.trendy.type(for: entityType) else { return nil }
        return try reference(type, id)
    }

    private func reference<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> ParentReference? {
        guard let record = try context.reader.find(type, id: id) else { return nil }
        let fields = try WireCoding.fields(of: record.entity)
        return try Entity.parents.first { reference in
            guard reference.onDelete == .cascade, let parent = fields[reference.field]?.stringValue else {
                return false
            }
            return try !isHere(reference.entityType, parent)
        }
    }

    /// Whether there is a record of that kind and id.
    func isHere(_ entityType: EntityType, _ id: String) throws -> Bool {
        guard let type = EntitySchema.trendy.type(for: entityType) else { return true }
        return try exists(type, id)
    }

    private func exists<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try context.reader.find(type, id: id) != nil
    }
}
