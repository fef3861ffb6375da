import Foundation
import TrendyDomain

/// Promise 4: in order for each record, parents before children; a parked mutation holds back only what depends
/// on it.
final class OrderChecker: PromiseChecker {
    let promise = Promise.order

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for mutation in view.open where mutation.state.parkCode == .waiting {
            let hasCause = view.open.contains { other in
                guard let code = other.state.parkCode, code != .waiting else { return false }
                return other.entityId == mutation.entityId && other.id < mutation.id
            }
            if hasCause { continue }
            world.report(
                promise,
                "mutation \(mutation.id) of device \(device.index) waits for an earlier change of \(mutation.entityId), and "
                    + "none is parked")
        }
    }

    func healed(_ world: World) throws {
        for device in world.devices {
            let view = try world.view(of: device)
            // One that the server fails on waits for its next try.
            for mutation in view.open where mutation.state.isUnsent && mutation.attempts == 0 {
                if try !waitsForParked(mutation, view) {
                    world.report(
                        promise,
                        "mutation \(mutation.id) of device \(device.index) (\(mutation.operation) of \(mutation.entityType) "
                            + "\(mutation.entityId)) is held back, and nothing that it depends on is parked: "
                            + "\(mutation.lastError ?? "never sent")")
                }
            }
        }
    }

    /// Whether a mutation waits, by way of others, for one that is parked or that the server fails on.
    private func waitsForParked(_ mutation: PendingMutation, _ view: DeviceView) throws -> Bool {
        var (seen, next) = (Set([mutation.id]), [mutation])
        while let one = next.popLast() {
            let named = Set(try view.fields(of: one.payload).values.compactMap(\.stringValue)).union([one.entityId])
            for other in view.open where !seen.contains(other.id) {
                guard try mayWait(one, named, for: other, view) else { continue }
                if other.state.name == .parked || other.attempts > 0 { return true }
                seen.insert(other.id)
                next.append(other)
            }
        }
        return false
    }

    /// - Parameter named: The record of the mutation, and those that it names.
    private func mayWait(
        _ one: PendingMutation, _ named: Set<String>, for other: PendingMutation, _ view: DeviceView
    ) throws -> Bool {
        // What was done to the same record later waits for this one.
        if named.contains(other.entityId) { return other.entityId != one.entityId || other.id < one.id }
        let schema = EntitySchema.trendy
        switch one.operation {
        case .create:
            // The other record may give up the name.
            let hasName = schema.type(for: one.entityType).map { !$0.naturalKey.isEmpty } ?? false
            return hasName && other.entityType == one.entityType && other.operation != .create
        case .delete:
            // The other mutation may move away what the deletion would take along.
            guard other.operation == .update, other.id < one.id else { return false }
            let fields = try view.fields(of: other.payload)
            return schema.children(of: one.entityType).contains { type, reference in
                type.entityType == other.entityType && fields[reference.field] != nil
            }
        case .update: return false
        }
    }

    /// What one device did to one record takes effect in the order in which it was done.
    func settled(_ world: World) throws {
        var last: [String: (sequence: Int, mutation: Int64)] = [:]
        // Who mends a refused edit has it go before the later ones.
        let decisions = world.acts.dropFirst(world.actsBeforeDecisions)
        let mended = Set(decisions.map(\.entityId))
        for (index, act) in world.acts.enumerated() where !mended.contains(act.entityId) {
            guard case .update = act.change, case .effective(let sequence, let id) = try world.outcome(of: act, index),
                // What was done to a record that came to stand for another is mended under that one's id.
                !mended.contains(id)
            else { continue }
            let key = "\(act.device) \(act.entityId)"
            // What goes into a mutation that waits since before has its place.
            if let earlier = last[key], earlier.sequence > sequence, earlier.mutation < act.mutationId {
                world.report(promise, "device \(act.device): edits of \(act.entityId) took effect out of order")
            }
            last[key] = (sequence, act.mutationId)
        }
    }
}

extension MutationState {
    fileprivate var parkCode: ParkReason.Code? { if case .parked(let reason) = self { reason.code } else { nil } }
}
