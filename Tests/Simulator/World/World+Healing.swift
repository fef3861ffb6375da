import TrendyDomain
import TrendyTestSupport

extension World {
    /// Ends all faults: what was delayed arrives, what was down is up, clocks are right.
    func heal() throws {
        trace.note("healing")
        plan = FaultPlan(ways: plan.ways)
        serverIsDownUntil = nil
        signInIsOutUntil = nil
        server.signInIsOut = false
        server.garbles = { _ in false }
        server.feed.repair()
        var dice = Dice(seed: seed, stream: 1 << 41)
        try drain(&dice)
        for device in devices {
            for process in device.processes where !process.isAlive { device.restart(process.name.process) }
            device.processes.forEach { $0.stores.die(at: nil) }
            device.clock.set(server.clock.now())
            clockErrors[device.index] = 0
        }
        // Pauses and ids that were made by a clock that ran ahead lie in the past now.
        pass(milliseconds: 4 * 3_600_000)
        try drain(&dice)
    }

    /// Lets everything that is under way come to its end.
    func drain(_ dice: inout Dice) throws {
        var rounds = 0
        while devices.contains(where: \.isSyncing) || !network.exchanges.isEmpty {
            rounds += 1
            if rounds > 20_000 { return report(.convergence, "the network never comes to rest") }
            if network.exchanges.isEmpty {
                guard clock.advanceToNextWake() else {
                    settle()
                    if devices.contains(where: \.isSyncing), clock.timeUntilNextWake == nil, network.exchanges.isEmpty {
                        return report(.cancellable, "a sync waits for nothing")
                    }
                    continue
                }
                settle()
            } else {
                try moveNetwork(&dice)
            }
        }
    }

    /// Syncs device after device until nothing moves any more.
    func syncUntilQuiet(_ dice: inout Dice) throws {
        for _ in 0..<12 {
            pass(milliseconds: 400_000)
            var isQuiet = true
            for device in devices {
                let report = try syncOnce(device, &dice)
                if report?.pushed != 0 || report?.pulled != 0 || report?.failure != nil { isQuiet = false }
            }
            if isQuiet { return }
        }
        report(.convergence, "the devices do not come to rest")
    }

    @discardableResult
    func syncOnce(_ device: SimulatedDevice, full: Bool = false, _ dice: inout Dice) throws -> SyncReport? {
        let sync = startSync(device.processes[0], full: full)
        try drain(&dice)
        let result = try sync.result.value?.get()
        if let failure = result?.failure {
            report(.convergence, "a sync without faults fails: \(failure) \(result?.error ?? "")")
        }
        return result
    }
}
