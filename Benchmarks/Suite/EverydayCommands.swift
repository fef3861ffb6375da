import Foundation

/// What a person types every day, as whole processes, with a million events in the store.
///
/// Each is measured in turns with the program that opens the same database and inserts one row, so that both see the
/// same machine.
struct EverydayCommands {
    let workplace: Workplace
    let rounds = 41

    func run() throws -> [Figure] {
        // So many a day that a million are nineteen years, which is more than anybody logs.
        try workplace.fill("thousand", events: 1_000, minutesApart: 10)
        try workplace.multiply("million", events: 1_000_000, minutesApart: 10)
        let file = workplace.folder.appending(path: "million-baseline.sqlite").path
        try workplace.makeBaseline(file, copyOf: workplace.home(of: "million") + "/trendy.sqlite")
        return try logging(file) + loggingSignedIn(file) + looking(file) + counting() + asking()
    }

    /// `trendy row` is short for `trendy log row`.
    private func logging(_ file: String) throws -> [Figure] {
        var (few, many, least): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            few.append(try workplace.everyday("thousand").run(["row"]).seconds)
            many.append(try workplace.everyday("million").run(["row"]).seconds)
            least.append(try minimum(file))
        }
        return [
            ratio("trendy row, 1,000,000 events / 1,000 events", many, few, atMost: 1.2),
            ratio("trendy row, 1,000,000 events / minimal Swift program", many, least, atMost: 1.5),
        ]
    }

    /// Signed in, a change leaves a sync behind, for which the prompt must not wait.
    private func loggingSignedIn(_ file: String) throws -> [Figure] {
        try workplace.startServer()
        try workplace.signUp("signed-in", account: "everyday")
        try workplace.fill("signed-in", events: 1_000)
        _ = try workplace.device("signed-in").run(["sync"])
        let device = workplace.everyday("signed-in")
        try workplace.tidy(file)
        var (ours, least): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            ours.append(try device.run(["row"]).seconds)
            least.append(try minimum(file))
        }
        return [ratio("trendy row, signed in / minimal Swift program", ours, least, atMost: 1.5)]
    }

    private func looking(_ file: String) throws -> [Figure] {
        try ["list", "today", "status"].map { command in
            var (ours, least): ([Double], [Double]) = ([], [])
            try workplace.tidy(file)
            for _ in 0..<rounds {
                ours.append(try workplace.everyday("million").run([command]).seconds)
                least.append(try minimum(file))
            }
            return ratio("trendy \(command), 1,000,000 events / minimal program", ours, least, atMost: 2)
        }
    }

    /// Every event counts: `--since` keeps the charts of times from their usual window.
    private func counting() throws -> [Figure] {
        let all = ["--since", "2000-01-01"]
        let commands =
            [["stats"], ["stats", "row"]]
            + ["day", "week", "month", "weekday", "hour"].map { ["stats", "row", "--by", $0] + all }
        return try commands.map { try duration(of: $0, atMost: 300) }
    }

    /// A type, a time and a property: of the newest events that fit, and of those of a year.
    private func asking() throws -> [Figure] {
        try [
            ["list", "row", "amount>3", "since:2010-01-01", "--limit", "20"],
            ["list", "row", "amount>3", "since:365d ago", "--sort", "amount", "--limit", "20"],
            ["stats", "row", "amount>3", "--since", "365d ago", "--agg", "median"],
        ].map { try duration(of: $0, atMost: 150) }
    }

    private func duration(of command: [String], atMost limit: Double) throws -> Figure {
        let seconds = try (0..<7).map { _ in try workplace.everyday("million").run(command).seconds }
        return Figure(
            name: "trendy \(command.joined(separator: " "))", value: seconds.median * 1000, unit: "ms",
            target: .atMost(limit))
    }

    private func minimum(_ file: String) throws -> Double {
        try Child(executable: workplace.baseline).run([file]).seconds
    }

    private func ratio(_ name: String, _ ours: [Double], _ theirs: [Double], atMost limit: Double) -> Figure {
        Figure(
            name: name, value: ours.median / theirs.median, unit: "times", target: .atMost(limit),
            detail: "\(milliseconds(ours.median)) / \(milliseconds(theirs.median))")
    }
}
