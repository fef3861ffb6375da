import Foundation
import Testing
import TrendyFaultProxy
import TrendyProcesses

/// How many kills there are, and what decides their moments: `CRASHES` and `SEED` of the environment.
struct CrashPlan {
    /// The kills of all kinds together.
    static let total = number("CRASHES") ?? 20
    static let seed = number("SEED") ?? 1
    /// How many kinds share them.
    private static let kinds = 5

    /// The kills of one kind.
    static var share: Int { max(1, total / kinds) }

    let kind: String
    var random: SplitMix64
    private var kills = 0
    private var hits = 0
    /// How long a command takes that does nothing.
    private let startup: Duration
    /// How long the command takes that is killed, as far as that is known.
    private var duration = Duration.zero

    /// - Parameter kind: What is killed, for people.
    init(_ kind: String) async throws {
        self.kind = kind
        random = SplitMix64(seed: kind.utf8.reduce(UInt64(Self.seed)) { $0 &* 31 &+ UInt64($1) })
        let device = try Device()
        let begin = ContinuousClock.now
        try await device.done("help")
        startup = begin.duration(to: .now)
    }

    /// Runs a command to its end and learns how long it takes.
    mutating func learn(_ command: () async throws -> Void) async throws {
        let begin = ContinuousClock.now
        try await command()
        let time = begin.duration(to: .now)
        duration = duration == .zero ? time : (duration + time) / 2
    }

    /// Starts a command and kills it, or somebody else, at a random moment of the time in which it works.
    ///
    /// - Parameter victim: Who is killed; nil for the command itself.
    /// - Returns: Whether the command was still at work.
    mutating func strike(victim: ChildProcess? = nil, _ start: () throws -> ChildProcess) async throws -> Bool {
        // The first part, in which a program only starts, is mostly left out.
        let earliest = Double.random(in: 0..<1, using: &random) < 0.1 ? .zero : min(startup * 0.7, duration / 2)
        let moment = earliest + (duration - earliest) * Double.random(in: 0..<1, using: &random)
        let begin = ContinuousClock.now
        let process = try start()
        try await RealTime.pause(max(.zero, moment - begin.duration(to: .now)))
        let wasAtWork = process.exit == nil
        (victim ?? process).signal(SIGKILL)
        await (victim ?? process).ended()
        let exit = await process.ended()
        let isHit = victim == nil ? exit.wasSignalled : wasAtWork
        kills += 1
        hits += isHit ? 1 : 0
        // One that had ended took less time than was thought.
        if !isHit { duration = duration * 0.9 }
        return isHit
    }

    /// Tells what was done, and makes sure that it was worth it.
    func summarize() {
        print("crash runs: \(kind): \(kills) kills, \(hits) of them at work (SEED=\(Self.seed))")
        // A few kills may all come late on a busy machine.
        #expect(kills < 20 || hits * 2 >= kills, "the kills come too late to mean anything; \(note)")
    }

    /// What a failed expectation says besides.
    var note: Comment {
        "\(kind), kill \(kills); the same draws come with SEED=\(Self.seed) CRASHES=\(Self.total)"
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}

extension Device {
    /// Starts a command that may be killed; what it writes goes into a file.
    func start(_ arguments: String..., output: URL? = nil) throws -> ChildProcess {
        if let output { try Data().write(to: output) }
        return try Program.start(
            arguments, environment: variables, output: output.map { try FileHandle(forWritingTo: $0) })
    }

    /// Writes a file that `trendy import csv` can import: so many events, whose notes begin alike.
    func writeRows(_ count: Int, named name: String) throws -> String {
        let rows = (0..<count).map { "\(1_700_000_000 + $0),crash,\(name)-\($0)\n" }
        return try folder.write("t,k,n\n" + rows.joined(), to: "\(name).csv")
    }
}
