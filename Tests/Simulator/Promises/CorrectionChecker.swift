import TrendyDomain

/// Promise 3, for people: an edit of a record of which the server has refused something takes the place of what was
/// refused, and is sent. Nobody has to ask for it.
final class CorrectionChecker: PromiseChecker {
    let promise = Promise.nothingVanishes

    func wrote(_ act: Act, in world: World) throws {
        guard case .update(let changes) = act.change, world.acts.count <= world.actsBeforeDecisions else { return }
        let ofRecord = try world.view(of: world.devices[act.device]).openByRecord[act.entityId] ?? []
        // Behind a deletion, what is cleared has to stay apart.
        let isBehindDeletion = ofRecord.contains { $0.operation == .delete } && changes.values.contains(.null)
        guard !isBehindDeletion, let first = ofRecord.first(where: { $0.state.name == .parked }),
            case .parked(let reason) = first.state, [.rejected, .duplicate, .blocked, .blamed].contains(reason.code)
        else { return }
        // A later deletion ends the refused mutation. The edit changes a record that was made after the deletion.
        if ofRecord.contains(where: { $0.operation == .delete && $0.id > first.id }) { return }
        world.report(
            promise,
            "an edit of \(act.entityId) on device \(act.device) waits behind mutation \(first.id), which was refused: "
                + reason.message)
    }
}
