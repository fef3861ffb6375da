import Foundation

/// Import, push, first sync and small syncs, with real processes over loopback HTTP.
struct SyncFigures {
    let workplace: Workplace
    let large = 100_000
    let middle = 20_000
    let small = 1000

    func run() throws -> [Figure] {
        try workplace.startServer()
        var figures: [Figure] = []
        var imports: [ChildResult] = []
        for (account, count) in [("large", large), ("middle", middle), ("small", small)] {
            try workplace.signUp(account, account: account)
            _ = try workplace.device(account).run(["sync"])
            let imported = try workplace.fill(account, events: count)
            imports.append(imported)
            let pushed = try push(account)
            if count == large {
                figures += [rate("import of CSV rows, whole process", count, imported.seconds, atLeast: 20_000)]
                figures += [rate("push of pending events", count, pushed, atLeast: 10_000)]
            }
        }
        figures += [importMemory(imports)] + (try firstSyncs())
        figures += [try oneChange()]
        return figures
    }

    private func rate(_ name: String, _ count: Int, _ seconds: Double, atLeast target: Double) -> Figure {
        Figure(
            name: name, value: Double(count) / seconds, unit: "/s", target: .atLeast(target),
            detail: "\(count) in \(String(format: "%.2f s", seconds))")
    }

    /// Rows go through one at a time: five times as many need no more memory.
    private func importMemory(_ imports: [ChildResult]) -> Figure {
        let peaks = imports.map { Double($0.peakMemory) / 1_048_576 }
        return Figure(
            name: "peak memory of that import, 100,000 rows / 20,000 rows", value: peaks[0] / peaks[1], unit: "times",
            target: .atMost(1.2), detail: String(format: "%.1f MiB / %.1f MiB", peaks[0], peaks[1]))
    }

    // MARK: Push

    /// Runs in a process of its own, so that its memory does not count for those that follow.
    private func push(_ device: String) throws -> Double {
        let output = try Child(executable: CommandLine.arguments[0]).run(["push", workplace.home(of: device)]).output
        guard let seconds = Double(output.filter { !$0.isWhitespace }) else {
            throw ChildFailure(description: "no figure in: \(output)")
        }
        return seconds
    }

    // MARK: First sync

    private func firstSyncs() throws -> [Figure] {
        let large = try firstSync("large")
        let middle = try firstSync("middle")
        let mebibyte = 1024.0 * 1024
        return [
            rate("first sync of events, whole process", self.large, large.seconds, atLeast: 20_000),
            Figure(
                name: "peak memory of that sync", value: Double(large.peakMemory) / mebibyte, unit: "MiB",
                target: .atMost(120)),
            Figure(
                name: "peak memory, 100,000 events / 20,000 events",
                value: Double(large.peakMemory) / Double(middle.peakMemory), unit: "times", target: .atMost(1.1),
                detail: String(format: "%.1f MiB for 20,000", Double(middle.peakMemory) / mebibyte)),
        ]
    }

    private func firstSync(_ account: String) throws -> ChildResult {
        let device = "second-\(account)"
        try workplace.logIn(device, account: account)
        return try workplace.device(device).run(["sync"])
    }

    // MARK: One change

    /// One event from device A to device B, with few and with many records on both.
    private func oneChange() throws -> Figure {
        try workplace.logIn("second-small", account: "small")
        _ = try workplace.device("second-small").run(["sync"])
        var times: [String: [Double]] = [:]
        for _ in 0..<21 {
            for account in ["small", "large"] {
                _ = try workplace.device(account).run(["log", "row", "--note", "one change"])
                let sent = try workplace.device(account).run(["sync"]).seconds
                let received = try workplace.device("second-\(account)").run(["sync"]).seconds
                times[account, default: []].append(sent + received)
            }
        }
        let (few, many) = (times["small", default: []].median, times["large", default: []].median)
        return Figure(
            name: "one change from A to B, 100,000 records / 1,000 records", value: many / few, unit: "times",
            target: .atMost(1.2), detail: "\(milliseconds(many)) / \(milliseconds(few))")
    }
}
