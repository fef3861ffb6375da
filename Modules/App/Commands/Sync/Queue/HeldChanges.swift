import TrendyData
import TrendyDomain

/// Tells which refused change another one waits for.
///
/// A refused change holds back what else there is of its record, and what belongs to a record that it would create; the
/// latter also where it was tried, and the server did not have that record.
@MainActor
struct HeldChanges {
    private var parked: [Key: PendingMutation] = [:]
    private var creates: [Key: PendingMutation] = [:]

    private struct Key: Hashable {
        var entityType: EntityType
        var entityId: String
    }

    init(_ context: CommandContext) throws {
        for mutation in try context.reader.mutations(MutationQuery(states: [.queued, .sending, .parked])) {
            let key = Key(entityType: mutation.entityType, entityId: mutation.entityId)
            if mutation.state.name == .parked, parked[key] == nil { parked[key] = mutation }
            if mutation.operation == .create { creates[key] = mutation }
        }
    }

    /// The number of the refused change that this one waits for; nil where it is held by none.
    func holder(of mutation: PendingMutation) -> Int64? {
        guard mutation.state.isUnsent || mutation.isBlocked else { return nil }
        let key = Key(entityType: mutation.entityType, entityId: mutation.entityId)
        if let earlier = parked[key], earlier.id < mutation.id { return earlier.id }
        for parent in parents(of: mutation) {
            if let keeper = parked[parent], keeper.isKeepingParent { return keeper.id }
            guard let create = creates[parent] else { continue }
            // The parent itself may wait for its own.
            if create.id != mutation.id, let holder = holder(of: create) { return holder }
        }
        return nil
    }

    private func parents(of mutation: PendingMutation) -> [Key] {
        guard mutation.operation != .delete, let type = EntitySchema.trendy.type(for: mutation.entityType),
            let payload = mutation.payload,
            let fields = try? WireCoding.decode([String: JSONValue].self, from: payload)
        else { return [] }
        return type.parents.compactMap { reference in
            fields[reference.field]?.stringValue.map { Key(entityType: reference.entityType, entityId: $0) }
        }
    }
}

extension PendingMutation {
    /// Whether it is parked for another change that has to come first.
    fileprivate var isBlocked: Bool { parkCode == .blocked || parkCode == .waiting }

    /// Whether it is parked, and the server does not have its record before that is decided.
    var isKeepingParent: Bool { parkCode != nil && (operation == .create || parkCode == .deletedElsewhere) }

    /// Why it is parked, in a word; nil where it is not.
    var parkCode: ParkReason.Code? {
        if case .parked(let reason) = state { reason.code } else { nil }
    }
}
