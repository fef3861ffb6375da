import TrendyData
import TrendyDomain
import TrendySync

/// What the world knows of a device that follows the server.
struct FollowState {
    /// Whether devices follow; false again when only people sync.
    var isOn: Bool
    /// The stream of each device that was told of last, and the head that was told of on it.
    var told: [Int: (stream: Int, head: ServerHead)] = [:]
    /// Hints that are to come late.
    var late: [Int: ServerHead] = [:]
}

extension World {
    /// Starts whoever is to follow and does not, and begins the syncs that followers want. Answers whether anything
    /// came of it.
    func serveFollowers() -> Bool {
        guard following.isOn, !isActing else { return false }
        var isBusy = false
        for device in devices {
            let process = device.processes[0]
            guard process.isAlive else { continue }
            guard let follower = process.follower, follower.result.value == nil else {
                startFollower(process)
                isBusy = true
                continue
            }
            if let sync = follower.sync, case .success(let report)? = sync.result.value {
                follower.sync = nil
                follower.desk.finish(report)
                isBusy = true
            }
            guard follower.desk.takeWish() else { continue }
            follower.sync = startSync(process)
            isBusy = true
        }
        return isBusy
    }

    private func startFollower(_ process: DeviceProcess) {
        trace.note("\(process.name) follows")
        let (engine, desk) = (process.engine, FollowDesk())
        let interval = environment.bug?.followInterval ?? SyncEngine.followInterval
        let (task, result) = executor.start {
            try await engine.follow(every: interval, syncing: { await desk.sync() })
        }
        process.follower = Follower(desk: desk, task: task, result: result)
    }

    /// Ends the following: from now on only people sync.
    func stopFollowing() {
        following.isOn = false
        for process in devices.flatMap(\.processes) { process.follower = nil }
        settle()
    }

    /// Tells devices of the head, or not.
    func tellHints(_ step: Int) throws {
        guard following.isOn else { return }
        let isUp = serverIsDownUntil == nil && server.gateway == .exact
        network.streams.serve(isUp)
        var dice = Dice(seed: seed, stream: 1 << 44 | UInt64(step))
        let head = try server.head()
        for device in devices {
            let process = device.processes[0].name
            guard let stream = network.streams.number(of: process) else { continue }
            if !isUp {
                network.streams.end(process, .connection("connection reset"))
                continue
            }
            if let late = following.late[device.index], dice.chance(0.2) {
                following.late[device.index] = nil
                tell(process, late, "late ")
            }
            if dice.chance(0.1) { network.streams.tell(process, ":\n\n") }
            if let told = following.told[device.index], told.stream == stream, told.head == head { continue }
            // It takes a moment, in which other things happen.
            guard dice.chance(0.4) else { continue }
            following.told[device.index] = (stream, head)
            let fault = dice.chance(0.5) ? dice.pick(HintFault.allCases) : nil
            tell(process, head, of: device, fault, &dice)
        }
        settle()
    }

    private func tell(
        _ process: ProcessName, _ head: ServerHead, of device: SimulatedDevice, _ fault: HintFault?, _ dice: inout Dice
    ) {
        switch fault {
        case nil: tell(process, head)
        case .missed: trace.note("\(process) misses the hint \(head.head)")
        case .late: following.late[device.index] = head
        case .repeated: for _ in 0..<2 { tell(process, head) }
        case .wrong:
            let wrong =
                dice.chance(0.3)
                ? ServerHead(epoch: "another", head: head.head)
                : ServerHead(epoch: head.epoch, head: max(0, head.head + Int64(dice.below(40)) - 10))
            tell(process, wrong, "wrong ")
        case .broken:
            trace.note("\(process)'s stream breaks")
            network.streams.end(process, dice.chance(0.5) ? .connection("connection reset") : nil)
        }
    }

    private func tell(_ process: ProcessName, _ head: ServerHead, _ kind: String = "") {
        trace.note("\(process) hears the \(kind)hint \(head.epoch ?? "-") \(head.head)")
        let epoch = head.epoch.map { "\"\($0)\"" } ?? "null"
        network.streams.tell(process, "event: head\ndata: {\"epoch\":\(epoch),\"head\":\(head.head)}\n\n")
    }

    /// Lets people do a little more, and then minutes pass in which no hint arrives: what the devices have then, they
    /// have by themselves.
    func followUntilQuiet(_ dice: inout Dice) throws {
        guard following.isOn else { return }
        for _ in 0..<3 { try act(&dice) }
        for _ in 0..<12 {
            pass(milliseconds: 61_000)
            try drain(&dice)
            if try devices.allSatisfy({ try !hasSomethingToReceive($0) }) { return stopFollowing() }
        }
        for device in devices where try hasSomethingToReceive(device) {
            report(.convergence, "device \(device.index) follows the server, and has not received what it has")
        }
        stopFollowing()
    }

    private func hasSomethingToReceive(_ device: SimulatedDevice) throws -> Bool {
        let view = try view(of: device)
        return view.cursor < server.feed.latest || view.isResyncing
    }
}
