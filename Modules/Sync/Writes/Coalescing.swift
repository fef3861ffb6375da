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
        /// The new change takes the place of the earlier mutation.
        case supersede(PendingMutation)
        /// The two undo each other: the server need not hear of either.
        case annihilate(PendingMutation)
    }

    /// What becomes of an update of a record whose last open mutation is `last`.
    static func update<Entity: SyncEntity>(
        _ patch: Patch<Entity>, base: [String: JSONValue], after last: PendingMutation?
    ) throws -> Outcome {
        guard var merged = last, merged.state != .sending else { return .append }
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

    /// What becomes of the deletion of a record whose last open mutation is `last`.
    static func delete(after last: PendingMutation?) -> Outcome {
        guard let last, last.state != .sending else { return .append }
        switch (last.operation, last.state) {
        case (.delete, _): return .append
        case (.update, _): return .supersede(last)
        case (.create, .parked(let reason)) where reason.code == .blamed || reason.code == .cleared:
            // The server may have the record all the same: it failed, or was never heard out.
            return .supersede(last)
        case (.create, _): return .annihilate(last)
        }
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
