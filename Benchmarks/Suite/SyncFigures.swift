import Foundation

/// Import, push, first sync and small syncs, with real processes over loopback HTTP.
///
/// Three accounts with different numbers of events tell whether time and memory grow with what is there.
struct SyncFigures {
    let workplace: Workplace

    private struct Account {
        let name: String
        let events: Int

        var second: String { "second-" + name }
    }

    private let small = Account(name: "small", events: 1000)
    private let large = Account(name: "large", events: 100_000)
    private let huge = Account(name: "huge", events: 1_000_000)

    /// What an account's way from a CSV file to a second device took.
    private struct Way {
        var imported: ChildResult
        var pushed: ChildResult
        var received: ChildResult
        /// The bytes that the server's folder has grown by.
        var serverBytes: Int
        /// The bytes of the device's store after its push.
        var deviceBytes: Int
    }

    func run() throws -> [Figure] {
        try workplace.startServer()
        _ = try way(of: small)
        let many = try way(of: large)
        let most = try way(of: huge)
        let count = large.events
        return [
            rate("import of CSV rows, whole process", count, many.imported, atLeast: 25_000),
            try importRatio(),
            rate("push of pending events, whole process", count, many.pushed, atLeast: 25_000),
            rate("first sync of events, whole process", count, many.received, atLeast: 40_000),
            Figure(
                name: "device's store after the push, for each event", value: Double(many.deviceBytes) / Double(count),
                unit: "bytes", target: .atMost(450)),
            Figure(
                name: "server's store, for each event", value: Double(many.serverBytes) / Double(count), unit: "bytes",
                target: .atMost(800)),
            memory("import", many.imported, most.imported),
            memory("push", many.pushed, most.pushed),
            memory("first sync", many.received, most.received),
            rate("push of 1,000,000", huge.events, most.pushed, atLeast: 25_000),
            rate("first sync of 1,000,000", huge.events, most.received, atLeast: 40_000),
        ] + (try oneChange())
    }

    private func way(of account: Account) throws -> Way {
        try workplace.signUp(account.name, account: account.name)
        _ = try workplace.device(account.name).run(["sync"])
        let imported = try workplace.fill(account.name, events: account.events)
        let before = try workplace.size(of: "server")
        let pushed = try workplace.device(account.name).run(["sync"])
        let serverBytes = try workplace.size(of: "server") - before
        let deviceBytes = try workplace.size(of: account.name, files: "trendy.sqlite")
        try workplace.logIn(account.second, account: account.name)
        let received = try workplace.device(account.second).run(["sync"])
        return Way(
            imported: imported, pushed: pushed, received: received, serverBytes: serverBytes, deviceBytes: deviceBytes)
    }

    private func rate(_ name: String, _ count: Int, _ result: ChildResult, atLeast target: Double) -> Figure {
        Figure(
            name: name, value: Double(count) / result.seconds, unit: "/s", target: .atLeast(target),
            detail: String(format: "%.2f s, %.2f s of its processor time", result.seconds, result.processorSeconds))
    }

    /// Ten times as many events need no more memory.
    private func memory(_ name: String, _ many: ChildResult, _ most: ChildResult) -> Figure {
        let peaks = [many, most].map { Double($0.peakMemory) / 1_000_000 }
        return Figure(
            name: "peak memory, \(name) of 100,000 and 1,000,000", value: peaks.max() ?? .nan, unit: "MB",
            target: .atMost(100), detail: String(format: "%.0f MB, %.0f MB", peaks[0], peaks[1]))
    }

    // MARK: Import

    /// The import beside a program that puts the rows that it made into the same tables, in turns.
    private func importRatio() throws -> Figure {
        var times: (import: [Double], least: [Double]) = ([], [])
        for round in 0..<3 {
            let device = "import-\(round)"
            try workplace.prepare(device)
            let empty = workplace.home(of: device + "-least")
            try FileManager.default.copyItem(atPath: workplace.home(of: device), toPath: empty)
            times.import.append(try workplace.importRows(device, events: large.events).seconds)
            let full = workplace.home(of: device) + "/trendy.sqlite"
            try workplace.tidy(full)
            let least = Child(executable: workplace.baseline)
            times.least.append(try least.run(["copy", full, empty + "/trendy.sqlite"]).seconds)
        }
        let (own, least) = (times.import.median, times.least.median)
        return Figure(
            name: "that import / least program with the same rows", value: own / least, unit: "times",
            target: .atMost(2.5), detail: String(format: "%.2f s / %.2f s", own, least))
    }

    // MARK: One change

    /// One event from device A to device B, with few and with many records on both, beside two `trendy status`.
    private func oneChange() throws -> [Figure] {
        var times: [String: [Double]] = [:]
        for _ in 0..<21 {
            for account in [small, huge] {
                let (a, b) = (workplace.device(account.name), workplace.device(account.second))
                _ = try a.run(["log", "row", "--note", "one change"])
                let synced = try a.run(["sync"]).seconds + b.run(["sync"]).seconds
                let shown = try a.run(["status"]).seconds + b.run(["status"]).seconds
                times[account.name, default: []].append(synced)
                times[account.name + " status", default: []].append(shown)
            }
        }
        func time(_ name: String) -> Double { times[name, default: []].median }
        let (few, many) = (time("small"), time("huge"))
        func ratio(_ account: Account, _ records: String) -> Figure {
            let (synced, shown) = (time(account.name), time(account.name + " status"))
            return Figure(
                name: "one change from A to B, \(records) records / two status", value: synced / shown, unit: "times",
                target: .atMost(2), detail: "\(milliseconds(synced)) / \(milliseconds(shown))")
        }
        return [
            ratio(small, "1,000"), ratio(huge, "1,000,000"),
            Figure(
                name: "one change from A to B, 1,000,000 records / 1,000 records", value: many / few, unit: "times",
                target: .atMost(1.2), detail: "\(milliseconds(many)) / \(milliseconds(few))"),
        ]
    }
}
