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

    /// Whether a mutation of the same record, or of a record that it names, is parked.
    private func waitsForParked(_ mutation: PendingMutation, _ view: DeviceView) throws -> Bool {
        var blockers: [PendingMutation] = []
        var names = Set(try view.fields(of: mutation.payload).values.compactMap(\.stringValue)).union([
            mutation.entityId
        ])
        // A parent may itself wait for its own parent.
        for _ in 0..<2 {
            let further = view.open.filter { other in
                // What was done to the same record later waits for this one.
                let isLater = other.entityId == mutation.entityId && other.id >= mutation.id
                return !isLater && names.contains(other.entityId)
            }
            blockers += further
            for blocker in further {
                names.formUnion(try view.fields(of: blocker.payload).values.compactMap(\.stringValue))
            }
        }
        return blockers.contains { $0.state.name == .parked || $0.attempts > 0 }
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
