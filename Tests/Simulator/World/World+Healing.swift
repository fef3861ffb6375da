import TrendyDomain
import TrendySync
import TrendyTestSupport

extension World {
    /// Ends all faults: what was delayed arrives, what was down is up, clocks are right.
    func heal() throws {
        trace.note("healing")
        plan = FaultPlan(ways: plan.ways)
        serverIsDownUntil = nil
        serverIsBusyUntil = nil
        signInIsOutUntil = nil
        exchangeIsMissingUntil = nil
        narrowWay = nil
        server.signInIsOut = false
        server.garbles = { _ in false }
        server.losesEntry = { _ in false }
        server.losesDeletion = { _ in false }
        server.feed.repair()
        var dice = Dice(seed: seed, stream: 1 << 41)
        try drain(&dice)
        for device in devices {
            device.restart(with: .roomy)
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

    /// Syncs whoever has something to do, until all have read the whole feed and none can send anything.
    func syncUntilQuiet(_ dice: inout Dice) throws {
        // Whoever sent and received nothing has come to the end of what can be done, not of what there is.
        var idle: Set<Int> = []
        for _ in 0..<12 {
            let busy = try devices.filter { try hasSomethingToDo($0, canSend: !idle.contains($0.index)) }
            if busy.isEmpty { return }
            pass(milliseconds: 400_000)
            for device in busy {
                let report = try syncOnce(device, &dice)
                let isIdle = report?.pushed == 0 && report?.pulled == 0 && report?.failure == nil
                if isIdle { idle.insert(device.index) } else { idle.remove(device.index) }
            }
        }
        report(.convergence, "the devices do not come to rest")
    }

    /// Somebody compares and repairs the first device where the server has deleted without telling.
    func repairFirstDevice(_ dice: inout Dice) throws {
        guard plan.ways.contains(.deletionsAreLost) else { return }
        try deleteSilently(on: devices[1], &dice)
        trace.note("device 0 is compared and repaired")
        let engine = devices[0].processes[0].engine
        let audit = executor.start { await engine.audit(repairing: true) }
        settle()
        try drain(&dice)
        let result = try audit.result.value?.get()
        if result?.sync.failure != nil || result?.needsSync == true {
            report(.convergence, "a comparison without faults fails: \(result?.sync.error ?? "it needs a sync")")
        }
        try note(on: devices[0])
        try syncUntilQuiet(&dice)
    }

    /// Somebody deletes an event, and the server writes no entry in the feed.
    private func deleteSilently(on device: SimulatedDevice, _ dice: inout Dice) throws {
        let usual = server.losesDeletion
        defer { server.losesDeletion = usual }
        server.losesDeletion = { _ in true }
        do {
            isActing = true
            defer { isActing = false }
            try Person(world: self, device: device, process: livingProcess(device, &dice)).delete(Event.self, &dice)
            settle()
        }
        try syncOnce(device, &dice)
    }

    /// Lets a day pass, and each device sync until it has compared the listings with what it has.
    func compareListings(_ dice: inout Dice) throws {
        guard !plan.ways.isDisjoint(with: [.entriesAreLost, .deletionsAreLost]) else { return }
        pass(milliseconds: 25 * 3_600_000)
        for _ in 0..<12 {
            for device in devices { try syncOnce(device, &dice) }
        }
        try syncUntilQuiet(&dice)
    }

    /// Every device syncs, and nothing moves.
    func demandQuiet(_ dice: inout Dice) throws {
        pass(milliseconds: 400_000)
        for device in devices {
            guard let result = try syncOnce(device, &dice), result.pushed + result.pulled > 0 else { continue }
            report(
                .convergence,
                "device \(device.index) sends \(result.pushed) and receives \(result.pulled) where nothing is left")
        }
    }

    private func hasSomethingToDo(_ device: SimulatedDevice, canSend: Bool) throws -> Bool {
        // An entry that appears behind others does not move the end of the feed.
        if lateEntriesSeen[device.index] != server.feed.late.count { return true }
        let view = try view(of: device)
        if view.cursor < server.feed.latest || view.isResyncing { return true }
        return canSend && view.open.contains { $0.state.isUnsent }
    }

    @discardableResult
    func syncOnce(_ device: SimulatedDevice, full: Bool = false, _ dice: inout Dice) throws -> SyncReport? {
        lateEntriesSeen[device.index] = server.feed.late.count
        let sync = startSync(device.processes[0], full: full)
        try drain(&dice)
        let result = try sync.result.value?.get()
        if let failure = result?.failure {
            report(.convergence, "a sync without faults fails: \(failure) \(result?.error ?? "")")
        }
        return result
    }
}
