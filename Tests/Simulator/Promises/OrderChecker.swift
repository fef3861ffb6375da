import Foundation
import TrendyDomain

/// Promise 4: in order for each record, parents before children; a parked mutation holds back only what depends
/// on it.
final class OrderChecker: PromiseChecker {
    let promise = Promise.order

    func healed(_ world: World) throws {
        for device in world.devices {
            let view = try DeviceView(device)
            // One that the server fails on waits for its next try.
            for mutation in view.open where mutation.state.isUnsent && mutation.attempts == 0 {
                if try !waitsForParked(mutation, view, device) {
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
    private func waitsForParked(
        _ mutation: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice
    ) throws -> Bool {
        let text = String(decoding: mutation.payload ?? .init(), as: UTF8.self)
        let ids = idPattern(text).union([mutation.entityId])
        var blockers = view.open.filter { $0.id != mutation.id && ids.contains($0.entityId) }
        // A parent may itself wait for its own parent.
        for blocker in blockers where blocker.state.isUnsent {
            let further = idPattern(String(decoding: blocker.payload ?? .init(), as: UTF8.self))
            blockers += view.open.filter { $0.id != blocker.id && further.contains($0.entityId) }
        }
        return blockers.contains { $0.state.name == .parked || $0.attempts > 0 }
    }

    func settled(_ world: World) throws {
        try checkOrderOfEdits(world)
    }

    /// What one device did to one record takes effect in the order in which it was done.
    private func checkOrderOfEdits(_ world: World) throws {
        var last: [String: (sequence: Int, act: Int)] = [:]
        // Who mends a refused edit has it go before the later ones.
        let decisions = world.acts.dropFirst(world.actsBeforeDecisions)
        let mended = Set(decisions.map(\.entityId))
        let mendedHere = Set(decisions.map { "\($0.device) \($0.entityId)" })
        for (number, act) in world.acts.enumerated() where !mended.contains(act.entityId) {
            guard case .update = act.change, case .effective(let sequence, let id) = try world.outcome(of: act),
                // What was done to a record that came to stand for another is mended under that one's id.
                !mendedHere.contains("\(act.device) \(id)"),
                // One that went into a deletion was made pointless by it.
                world.server.effects.first(where: { $0.sequence == sequence })?.operation != .delete
            else { continue }
            let key = "\(act.device) \(act.entityId)"
            if let earlier = last[key], earlier.sequence > sequence {
                world.report(promise, "device \(act.device): edits of \(act.entityId) took effect out of order")
            }
            last[key] = (sequence, number)
        }
    }
}
