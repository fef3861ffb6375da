import Foundation
import TrendyDomain
import TrendySync

extension World {
    /// People look at what was refused, passed over, put aside or in conflict, and decide.
    func decide(_ dice: inout Dice) throws {
        trace.note("people decide")
        actsBeforeDecisions = acts.count
        for device in devices {
            let isNew = !device.knowsMemos
            upgrade(device)
            let aside = try view(of: device).aside()
            if skippers.contains(device.index) || !aside.isEmpty {
                try syncOnce(device, full: true, &dice)
            } else if isNew {
                // The next sync reads what there is of the kinds that the new version knows.
                try syncOnce(device, &dice)
            }
        }
        // A decision may bring up the next one: a name that is taken still, a record that went meanwhile.
        try syncUntilQuiet(&dice)
        for round in 0..<6 {
            if try devices.allSatisfy({ try nothingIsOpen(on: $0) }) { return }
            for device in devices { try decide(on: device, round, &dice) }
            try syncUntilQuiet(&dice)
        }
    }

    private func nothingIsOpen(on device: SimulatedDevice) throws -> Bool {
        let view = try view(of: device)
        return try view.open.isEmpty && view.conflicts().isEmpty
    }

    private func decide(on device: SimulatedDevice, _ round: Int, _ dice: inout Dice) throws {
        let decider = Decider(world: self, device: device, isTired: round >= 3)
        try decider.freeWhatFails(&dice)
        for mutation in try view(of: device).open { try decider.decide(mutation, &dice) }
        for conflict in try view(of: device).conflicts() {
            try decider.decide(conflict, &dice)
        }
    }
}

/// Somebody who goes through the lists of what needs a decision.
struct Decider {
    let world: World
    let device: SimulatedDevice
    /// True for one who gives up what is left.
    let isTired: Bool

    private var engine: SyncEngine { device.processes[0].engine }

    /// What the server fails on is parked once other things pass: a few more are logged.
    func freeWhatFails(_ dice: inout Dice) throws {
        for _ in 0..<8 {
            let isFailing = try world.view(of: device).open.contains { $0.state.isUnsent && $0.attempts > 0 }
            guard isFailing else { return }
            let person = Person(world: world, device: device, process: device.processes[0])
            try person.create(person.newPlace(&dice))
            try world.syncOnce(device, &dice)
        }
    }

    func decide(_ mutation: PendingMutation, _ dice: inout Dice) throws {
        let isParked = mutation.state.name == .parked
        // What the server fails on without end is not parked where nothing else passes.
        guard isParked || mutation.attempts > 0 else { return }
        let choice = isTired ? 2 : dice.below(3)
        try carefully("decides about mutation \(mutation.id), \(choice)") {
            switch choice {
            case 0 where isParked: try retry(mutation)
            case 0, 1: try edit(mutation, &dice)
            case _ where !isParked: try edit(mutation, &dice)
            // A deletion that cannot be taken back, because more is gone, is best sent.
            case _ where isTired && mutation.operation == .delete: try retry(mutation)
            default: try drop(mutation)
            }
        }
    }

    func decide(_ conflict: SyncConflict, _ dice: inout Dice) throws {
        let restores = !isTired && dice.chance(0.4)
        try carefully("\(restores ? "restores" : "dismisses") conflict \(conflict.kind) of \(conflict.entityId)") {
            let (engine, id) = (engine, conflict.id)
            if restores {
                if conflict.kind != .field { world.expectBack(conflict.entityId) }
                // Where the deletion still waits, restoring takes it back.
                if conflict.kind == .deletedHereEditedElsewhere { world.droppers.insert(device.index) }
                world.rewritten.insert(conflict.entityId)
                try world.executor.run { try await engine.restoreConflict(id: id) }
            } else {
                world.droppers.insert(device.index)
                try world.executor.run { try await engine.dismissConflict(id: id) }
            }
        }
    }

    private func retry(_ mutation: PendingMutation) throws {
        if case .parked(let reason) = mutation.state, reason.code == .deletedElsewhere {
            world.expectBack(mutation.entityId)
        }
        expectBackWithParent(mutation)
        let (engine, id) = (engine, mutation.id)
        try world.executor.run { try await engine.retryMutation(id: id) }
    }

    /// Whoever brings a type back, and then sends what it had taken along, means to have both again.
    private func expectBackWithParent(_ mutation: PendingMutation) {
        let parents = idPattern(String(decoding: mutation.payload ?? .init(), as: UTF8.self))
        if mutation.operation == .create, !parents.isDisjoint(with: world.remade) {
            world.expectBack(mutation.entityId)
        }
    }

    private func edit(_ mutation: PendingMutation, _ dice: inout Dice) throws {
        let text = "t\(String(dice.next() & 0xFFFF_FFFF, radix: 36))"
        // A moment that is taken is moved by as much as nobody else moves his.
        let moment = ManualMoments.shared.advanced(byMilliseconds: Int64(dice.next() & 0xFFFF_FFFF))
        var changes: Fields? =
            switch mutation.entityType {
            case .event: ["geofence_id": .null, "notes": .string(text)]
            case .eventType: ["name": .string(text)]
            case .propertyDefinition: ["key": .string("k\(text)")]
            default: nil
            }
        if case .parked(let reason) = mutation.state, reason.fields.contains(where: { $0.field == "timestamp" }) {
            changes?["timestamp"] = .string(moment.description)
        }
        guard let changes, mutation.operation != .delete else { return try drop(mutation) }
        expectBackWithParent(mutation)
        let (engine, id) = (engine, mutation.id)
        let carrier = try world.executor.run { try await engine.editMutation(id: id, changes: changes) }
        try world.note([(mutation.entityType, mutation.entityId, .update(changes))], in: carrier, on: device)
    }

    private func drop(_ mutation: PendingMutation) throws {
        world.droppers.insert(device.index)
        let (engine, id) = (engine, mutation.id)
        let summary = try world.executor.run { try await engine.dropMutation(id: id) }
        // With the deletion of a parent go those that it had queued for its children.
        for id in summary.dropped {
            guard let dropped = try device.reader().findMutation(id: id) else { continue }
            switch dropped.operation {
            case .create: world.unmade[device.index, default: []].insert(dropped.entityId)
            case .delete: world.deletedHere[device.index][dropped.entityId] = nil
            case .update: break
            }
        }
    }

    /// What cannot be done is said, and changes nothing.
    private func carefully(_ what: String, _ body: () throws -> Void) throws {
        world.trace.note("device \(device.index) \(what)")
        world.isActing = true
        defer { world.isActing = false }
        do { try body() } catch let error as LedgerError {
            world.trace.note("  refused: \(error)")
        } catch let error as SyncEngineError {
            world.trace.note("  refused: \(error)")
        } catch let error as ValidationError {
            world.trace.note("  refused: \(error)")
        }
        try world.note(on: device)
        world.settle()
    }
}
