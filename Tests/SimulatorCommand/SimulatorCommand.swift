import ArgumentParser
import Foundation
import TrendySimulator

/// Runs histories, and shows the ones that break a promise.
@main
struct SimulatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trendy-sim", abstract: "Hunt for histories that break a promise.",
        discussion: """
            Examples:
              trendy-sim --seeds 1000             a thousand histories, each of its own length
              trendy-sim --seeds 1000 --full      with 150 acts and 30 syncs each
              trendy-sim --from 4711 --trace      one history, line by line
              trendy-sim --from 4711 --steps 3,17-20,95
              trendy-sim --bugs                   which planted bugs are found, and by what
              trendy-sim --bugs --bug lease       only those with "lease" in their names
              trendy-sim --from 3 --bug "rebase is skipped" --trace
            """)

    @Option(help: "How many histories.")
    var seeds = 1

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Option(
        help: "By which way devices speak with the server: exact, or rest for a server of the first API.",
        transform: { name in
            guard let gateway = Gateway(rawValue: name) else { throw ValidationError("--gateway is exact or rest") }
            return gateway
        })
    var gateway = Gateway.exact

    @Flag(help: "Long histories only: three devices, about 150 acts and 30 syncs.")
    var full = false

    @Flag(help: "Short histories only, as those that find planted bugs.")
    var short = false

    @Option(help: "The steps that happen, as in 3,17-20; all of them without it.")
    var steps: String?

    @Option(help: "Faults that do not happen, separated by commas.")
    var without: String?

    @Flag(help: "Print what happens, line by line.")
    var trace = false

    @Flag(help: "Print a digest of each history, to compare runs.")
    var digests = false

    @Flag(inversion: .prefixedNo, help: "Look for the shortest history that fails in the same way.")
    var shrink = true

    @Option(help: "How many failing histories to look for before stopping.")
    var failures = 1

    @Flag(help: "Show how many histories it takes to find each planted bug, up to --seeds, or 2000.")
    var bugs = false

    @Flag(help: "Devices follow the server, beside the syncs that people ask for.")
    var follow = false

    @Flag(help: "Stores are copied to other devices, and rolled back.")
    var copies = false

    @Option(help: "A bug to plant; with --bugs, a part of the names of those to hunt.")
    var bug: String?

    func validate() throws {
        if !bugs, let bug, PlantedBug.named(bug) == nil {
            let known = PlantedBug.all.map(\.name).joined(separator: "\n  ")
            throw ValidationError("there is no planted bug '\(bug)'; there are:\n  \(known)")
        }
        guard seeds > 0, failures > 0 else { throw ValidationError("--seeds and --failures count from 1") }
        if let steps, StepList(steps) == nil { throw ValidationError("--steps is a list like 3,17-20,95") }
        for name in without?.split(separator: ",") ?? [] where Fault(rawValue: String(name)) == nil {
            let known = Fault.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no fault '\(name)'; there are: \(known)")
        }
    }

    func run() throws {
        if bugs { return try huntBugs() }
        let faults = Set((without ?? "").split(separator: ",").compactMap { Fault(rawValue: String($0)) })
        let planted = bug.flatMap { PlantedBug.named($0) }
        let request = HistoryRequest(
            gateway: planted?.gateway ?? gateway, profile: full ? .full : short ? BugHunt.profile : nil,
            without: faults,
            steps: steps.flatMap { StepList($0)?.numbers },
            follows: follow || planted?.follows == true, copies: copies || planted?.copies == true, bug: planted)
        let campaign = Campaign(request: request, seeds: from..<(from + UInt64(seeds)), failureLimit: failures)
        let outcome = campaign.run { history in
            if digests { show("\(history.seed) \(history.digest)") }
            if trace { show(history.trace.joined(separator: "\n")) }
        }
        print(outcome.summary)
        for failure in outcome.failures { print(FailureReport(failure, request, shrinks: shrink).text) }
        if !outcome.failures.isEmpty { throw ExitCode.failure }
    }

    private func huntBugs() throws {
        show(BugTableRow.head)
        var isComplete = true
        for planted in PlantedBug.all where planted.name.contains(bug ?? "") || bug == nil {
            let finding = BugHunt(planted, limit: seeds > 1 ? seeds : 2_000).run()
            isComplete = isComplete && finding != nil
            show(BugTableRow(planted, finding))
        }
        if !isComplete { throw ExitCode.failure }
    }
}

/// Prints a line at once, also into a file: what comes next can take minutes.
private func show(_ line: some Any) {
    print(line)
    fflush(nil)
}
