import Foundation
import TrendyDomain

/// Merges a new local change of a record into the last one that waits, where that has not been sent.
///
/// create + update → create; update + update → update; update + delete → delete; create + delete → nothing.
/// A mutation that is sending is never touched: its request may have arrived as it was.
enum Coalescing {
    enum Outcome: Equatable {
        /// The new change goes into the queue by itself.
        case append
        /// The earlier mutation takes the new change in.
        case merge(into: PendingMutation)
    }

    /// What the deletion of a record does to its open mutations.
    struct Deletion: Equatable {
        /// Those that it makes pointless.
        var superseded: [PendingMutation]
        /// Whether the server has to hear of the deletion: not where it has never had the record.
        var isNeeded: Bool
    }

    /// What becomes of an update of a record whose last open mutation is `last`.
    static func update<Entity: SyncEntity>(
        _ patch: Patch<Entity>, base: [String: JSONValue], after last: PendingMutation?
    ) throws -> Outcome {
        guard var merged = last, merged.state != .sending, !mayHaveArrived(merged) else { return .append }
        switch merged.operation {
        case .create:
            let record = try WireCoding.decode(Entity.self, from: merged.payload ?? Data())
            merged.payload = try encoded(patch.applied(to: record))
        case .update:
            merged.payload = try encoded(try merged.patch(of: Entity.self).merging(patch))
            merged.base = try encoded(try merged.baseValues().merging(base) { earlier, _ in earlier })
        case .delete:
            return .append
        }
        merged.state = reopened(merged.state)
        return .merge(into: merged)
    }

    /// What becomes of a record's open mutations when it is deleted.
    static func delete(over open: [PendingMutation]) -> Deletion {
        let superseded = open.filter { $0.state != .sending && $0.operation != .delete }
        let unborn = superseded.contains { $0.operation == .create && !mayHaveArrived($0) }
        return Deletion(superseded: superseded, isNeeded: !unborn || leavesOneBehind(open))
    }

    /// Whether a create may have arrived that no deletion which waits follows.
    private static func leavesOneBehind(_ open: [PendingMutation]) -> Bool {
        let end = open.last { $0.operation == .delete }?.id ?? 0
        return open.contains { $0.id > end && $0.operation == .create && ($0.state == .sending || mayHaveArrived($0)) }
    }

    /// Whether a server may have taken a mutation all the same: it was sent, and never answered for good.
    static func mayHaveArrived(_ mutation: PendingMutation) -> Bool {
        guard mutation.attempts > 0 else { return false }
        guard case .parked(let reason) = mutation.state else { return true }
        return reason.code == .blamed || reason.code == .cleared
    }

    /// An edit answers a refusal: the mutation gets another chance. One that waits for a decision of the
    /// person goes on waiting.
    private static func reopened(_ state: MutationState) -> MutationState {
        guard case .parked(let reason) = state else { return state }
        switch reason.code {
        case .rejected, .duplicate, .blamed, .unreadable: return .queued
        case .deletedElsewhere, .cleared: return state
        }
    }
}
