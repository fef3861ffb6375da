import TrendyDomain

/// What the world knows of copies of stores.
struct CopyState {
    /// A copy of a device's store that is not used yet.
    struct Kept {
        var device: Int
        var files: StoreFiles
        var knowsMemos: Bool
        /// The types that were deleted on it.
        var takenOut: [TypeWithChildren]
        /// How many things people had done.
        var actsBefore: Int
    }

    /// Whether stores are copied and rolled back.
    var isOn: Bool
    var kept: Kept?
    /// Whether a device goes on with a copy. Checkers that follow the store of one device through time have nothing to
    /// say from then on.
    var isReplaced = false
    /// What people did on stores that were replaced since, by the places of their acts.
    var lost: Set<Int> = []
}

extension World {
    /// Copies a store, or lets a device go on with a copy: another device, or the same one, whose store is rolled back by that.
    ///
    /// It draws from a source of its own, so that histories without copies are what they were.
    func exchangeStores(_ number: Int) throws {
        guard copying.isOn else { return }
        var dice = Dice(seed: seed, stream: 1 << 44 &+ UInt64(number))
        guard let kept = copying.kept else {
            // What waits to be deleted is what a copy can know otherwise.
            let deleting = try devices.filter { device in
                try view(of: device).open.contains { $0.operation == .delete && $0.entityType == .eventType }
            }
            guard let device = dice.chance(0.06) ? dice.pick(devices) : dice.chance(0.2) ? dice.pick(deleting) : nil
            else { return }
            trace.note("the store of device \(device.index) is copied")
            copying.kept = CopyState.Kept(
                device: device.index, files: try device.files(), knowsMemos: device.knowsMemos,
                takenOut: takenOut[device.index], actsBefore: acts.count)
            return
        }
        guard dice.chance(0.08) else { return }
        let isRollback = dice.chance(0.4)
        let others = devices.filter { $0.index != kept.device }
        guard let device = isRollback ? devices[kept.device] : dice.pick(others) else { return }
        trace.note(isRollback ? "device \(device.index) is rolled back" : "device \(device.index) gets the copy")
        for (index, act) in acts.enumerated() where act.device == device.index {
            if isRollback && index < kept.actsBefore { continue }
            copying.lost.insert(index)
        }
        takenBack.removeAll { $0.device == device.index && !(isRollback && $0.actsBefore < kept.actsBefore) }
        copying.kept = nil
        copying.isReplaced = true
        for process in device.processes { process.stores.die() }
        settle()
        try device.goOn(with: kept.files, knowsMemos: kept.knowsMemos)
        // Whoever passed over a part of the feed has a store that lacks it.
        if skippers.contains(kept.device) { skippers.insert(device.index) }
        outboxes[device.index] = Dictionary(try view(of: device).open.map { ($0.id, $0) }) { $1 }
        settle()
        takenOut[device.index] = kept.takenOut
        // People take back what they would have taken back before.
        if dice.chance(0.5) {
            try Person(world: self, device: device, process: device.processes[0]).bringBack(&dice)
        }
    }
}
