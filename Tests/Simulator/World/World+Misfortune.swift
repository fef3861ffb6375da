import TrendyDomain
import TrendyTestSupport

extension World {
    /// Something happens to a process, a machine or a clock.
    func misfortune(_ dice: inout Dice) throws {
        guard let fault = plan.pick(Fault.ofTheWorld, &dice), let device = dice.pick(devices) else { return }
        let process = device.processes[dice.chance(0.8) ? 0 : 1]
        switch fault {
        case .processDies:
            guard process.isAlive, process.isSyncing || dice.chance(0.3) else { return }
            trace.note("\(process.name) is killed")
            process.stores.die()
        case .processDiesAtSave:
            // A resync has the most to lose at a save, and there are few of them.
            let process =
                try devices.first(where: { try view(of: $0).isResyncing })?.processes.first(where: \.isSyncing)
                ?? process
            guard process.isAlive else { return }
            let death = MortalStores.Death(savesBefore: dice.below(8), afterCommit: dice.chance(0.5))
            trace.note("\(process.name) will die at a save: \(death.savesBefore) \(death.afterCommit)")
            process.stores.die(at: death)
        case .serverRestarts: try restartServer()
        case .serverIsDown:
            try restartServer()
            serverIsDownUntil = server.clock.now().advanced(byMilliseconds: Int64(dice.below(120_000)))
        case .serverIsBusy:
            trace.note("the server is busy")
            serverIsBusyUntil = server.clock.now().advanced(byMilliseconds: Int64(dice.below(400_000)))
        case .signInIsOut:
            trace.note("the sign-in service is out")
            server.signInIsOut = true
            signInIsOutUntil = server.clock.now().advanced(byMilliseconds: Int64(dice.below(240_000)))
        case .syncIsCancelled: cancelSync(&dice)
        case .clockJumps: jump(device, &dice)
        case .exchangeIsMissing:
            trace.note("the route of the exchange is missing")
            exchangeIsMissingUntil = server.clock.now().advanced(byMilliseconds: Int64(dice.below(400_000)))
        case .largeRequestsFail:
            narrowWay = NarrowWay(
                end: server.clock.now().advanced(byMilliseconds: Int64(dice.below(400_000))),
                mutations: dice.within(1...4), changes: dice.within(1...4),
                refusal: dice.pick(NarrowWay.refusals) ?? .captivePortal)
            trace.note("only small requests pass: \(narrowWay?.mutations ?? 0) mutations")
        default: break
        }
    }

    /// Installs the newest version on a device. What its processes wait for dies with them.
    func upgrade(_ device: SimulatedDevice) {
        if device.knowsMemos { return }
        for process in device.processes { process.stores.die() }
        settle()
        device.upgrade()
    }

    /// What was on its way to the server, or from it, is lost; what was committed stays.
    func restartServer() throws {
        trace.note("the server restarts")
        for exchange in network.exchanges {
            reserved[exchange.id] = nil
            fail(exchange, .connection("connection reset"), stays: false)
        }
        try server.restart()
        settle()
    }

    private func cancelSync(_ dice: inout Dice) {
        let running = devices.flatMap(\.processes).flatMap { process in process.syncs.map { (process, $0) } }
        guard let (process, sync) = dice.pick(running) else { return }
        trace.note("\(process.name) sync \(sync.number) is cancelled")
        sync.isCancelled = true
        sync.task.cancel()
        settle()
        // Whoever cancels gets an answer at once, whatever else is going on.
        if process.isAlive, sync.result.value == nil {
            report(.cancellable, "sync \(sync.number) of \(process.name) goes on after it was cancelled")
        }
    }

    private func jump(_ device: SimulatedDevice, _ dice: inout Dice) {
        let isCommitting = network.exchanges.contains { if case .committing = $0.stage { true } else { false } }
        let distance = Int64(dice.pick([-7_200_000, -600_000, -60_000, 45_000, 180_000, 3_600_000]) ?? 0)
        // The feed settles by the device's clock: a jump ahead while a transaction is late is a known limit.
        if distance > 0, isCommitting { return }
        if abs(clockErrors[device.index] + distance) > 7_200_000 { return }
        trace.note("the clock of device \(device.index) jumps by \(distance)")
        let now = device.clock.now()
        check { ($0 as? PoliteChecker)?.clockWillJump(device.index, at: now, by: distance) }
        device.clock.advance(byMilliseconds: distance)
        clockErrors[device.index] += distance
    }
}
