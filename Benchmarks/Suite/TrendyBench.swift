import Foundation

/// `make bench`: every figure beside its target; ends with 1 where one is missed.
@main
struct TrendyBench {
    static func main() async {
        do {
            let arguments = CommandLine.arguments
            switch arguments.dropFirst().first {
            case "container":
                for figure in try ContainerFigures().run() { print(figure.line) }
            case "containers":
                guard arguments.count > 3, let kind = ContainerFigures.Kind(rawValue: arguments[2]),
                    let count = Int(arguments[3])
                else { throw ChildFailure(description: "containers needs a kind and a number") }
                try ContainerFigures.hold(count, kind)
            case "durable":
                print(try await DurableLog().run(in: URL(filePath: arguments[2])).line)
            case "everyday":
                let workplace = try Workplace()
                defer { workplace.cleanUp() }
                for figure in try EverydayCommands(workplace: workplace).run() { print(figure.line) }
            case "live":
                let workplace = try Workplace()
                defer { workplace.cleanUp() }
                for figure in try await LiveFigures(workplace: workplace).run() { print(figure.line) }
            case "peers":
                let address = ProcessInfo.processInfo.environment["TRENDY_BENCH_KINTO"]
                guard let kinto = address.flatMap(URL.init(string:)) else {
                    throw ChildFailure(description: "peers needs Kinto's address in TRENDY_BENCH_KINTO")
                }
                let workplace = try Workplace()
                defer { workplace.cleanUp() }
                for figure in try PeerFigures(workplace: workplace, kinto: kinto).run() { print(figure.line) }
            case "server":
                let workplace = try Workplace()
                defer { workplace.cleanUp() }
                for figure in try ServerFigures(workplace: workplace).run() { print(figure.line) }
            case "sync":
                let workplace = try Workplace()
                defer { workplace.cleanUp() }
                for figure in try SyncFigures(workplace: workplace).run() { print(figure.line) }
            default:
                try await measure()
            }
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(70)
        }
    }

    private static func measure() async throws {
        let workplace = try Workplace()
        defer { workplace.cleanUp() }
        var figures: [Figure] = []
        let durable = try Child(executable: CommandLine.arguments[0]).run(["durable", workplace.folder.path]).output
        print(durable, terminator: "")
        figures += try ContainerFigures().run()
        figures += try await LiveFigures(workplace: workplace).run()
        figures += try SyncFigures(workplace: workplace).run()
        figures += try LogProcess(workplace: workplace).run()
        figures += try EverydayCommands(workplace: workplace).run()
        for figure in figures { print(figure.line) }
        let missed = figures.filter { !$0.isMet }.count + (durable.hasPrefix("pass") ? 0 : 1)
        print(missed == 0 ? "every target is met" : "\(missed) of \(figures.count + 1) targets are missed")
        if missed > 0 {
            workplace.cleanUp()
            exit(1)
        }
    }
}
