import Foundation

/// `trendy log` as a whole process, in a small store, in a large one, and against the baseline program.
struct LogProcess {
    let workplace: Workplace
    let rounds = 41

    func run() throws -> [Figure] {
        try workplace.fill("few", events: 100)
        try workplace.fill("many", events: 100_000)
        let file = workplace.folder.appending(path: "baseline.sqlite").path
        try workplace.makeBaseline(file, copyOf: workplace.home(of: "many") + "/trendy.sqlite")
        let log = ["log", "row", "--note", "one more"]
        var (few, many, least): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            few.append(try workplace.device("few").run(log).seconds)
            many.append(try workplace.device("many").run(log).seconds)
            least.append(try Child(executable: workplace.baseline).run([file]).seconds)
        }
        return [
            Figure(
                name: "trendy log, 100,000 events / 100 events", value: many.median / few.median, unit: "times",
                target: .atMost(1.2), detail: "\(milliseconds(many.median)) / \(milliseconds(few.median))"),
            Figure(
                name: "trendy log, 100,000 events / minimal Swift program", value: many.median / least.median,
                unit: "times", target: .atMost(2),
                detail: "\(milliseconds(many.median)) / \(milliseconds(least.median))"),
        ]
    }
}
