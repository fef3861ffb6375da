import ArgumentParser
import Synchronization
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Logs what standard input has, a line an event, in the words of `trendy log`.
@MainActor
struct LogLines {
    let createsTypes: Bool

    /// Between two looks whether Ctrl-C was pressed, in milliseconds, while nobody writes a line.
    private static let patience: Int32 = 100

    /// Every line is read and understood before anything is stored, and all are stored together or none.
    ///
    /// - Throws: ``CommandFailure`` for a line that cannot be logged, and at Ctrl-C.
    func run(in context: CommandContext) async throws {
        try await context.interruption.during { try await log(in: context) }
    }

    private func log(in context: CommandContext) async throws {
        let entries = try read(in: context)
        if entries.isEmpty {
            return try context.say("nothing to log: standard input has no lines", json: [String]())
        }
        let made = try await store(entries, in: context)
        try tell(entries, made, in: context)
    }

    // MARK: Reading

    private func read(in context: CommandContext) throws -> [LogEntry] {
        let input = context.process.input
        // Where a person types the lines it would be in the way.
        let progress = input.isTerminal ? nil : context.progress("reading", unit: "lines")
        if input.isTerminal { try context.remark(Self.invitation) }
        defer { progress?.end() }
        var entries = LogEntries()
        var found: [LogEntry] = []
        var number = 0
        while true {
            try awaitLine(from: input)
            number += 1
            do {
                guard var line = try input.readLine() else { return found }
                // Editors mark UTF-8 with it; no name of a type begins with it.
                if number == 1, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
                progress?.advance()
                let words = try ShellWords.split(line)
                if words.isEmpty { continue }
                found.append(try entries.make(try request(words), createsTypes: createsTypes, in: context))
            } catch let failure as CommandFailure where failure.status == .inputOutput {
                throw failure
            } catch {
                // The parser wraps the question for help in an error of its own, which ends without a failure.
                let asksForHelp = LogCommand.exitCode(for: error).isSuccess
                let message = asksForHelp ? "--help has no place here" : message(error)
                throw CommandFailure.data("line \(number): \(message); nothing was logged")
            }
        }
    }

    /// Waits for a line, or the end; a read that waits itself would not hear of Ctrl-C.
    private func awaitLine(from input: StandardInput) throws {
        repeat {
            if Task.isCancelled { throw Self.nothingLogged(isTyped: input.isTerminal) }
        } while !input.isReady(within: Self.patience)
    }

    private func request(_ words: [String]) throws -> LogRequest {
        // The parser takes longer for a line than everything else.
        if let request = PlainCommand.log(words[...]) { return request }
        let command = try LogCommand.parse(words)
        guard command.type != "-", !command.common.json else {
            throw CommandFailure.usage("'-' and --json belong to the command, not to a line")
        }
        return command.request
    }

    // MARK: Storing

    private func store(_ entries: [LogEntry], in context: CommandContext) async throws -> [Bool] {
        let (done, total) = (StoredCount(), entries.count)
        let progress = context.progress("logging", unit: "events", total: total)
        let store = try context.store
        do {
            return try await progress.during({ $0.show(done.value, of: total) }) {
                try await store.perform { writes -> [Bool] in
                    try entries.map { entry -> Bool in
                        try Task.checkCancellation()
                        let madeType = try entry.store(in: writes)
                        done.step()
                        return madeType
                    }
                }
            }
        } catch is CancellationError {
            throw Self.nothingLogged(isTyped: context.process.input.isTerminal)
        }
    }

    private func tell(_ entries: [LogEntry], _ made: [Bool], in context: CommandContext) throws {
        if context.wantsJSON {
            var array = JSONArrayWriter(output: context.output)
            for entry in entries {
                if Task.isCancelled { throw Self.allLogged(entries.count) }
                guard let record = try context.reader.find(Event.self, id: entry.event.id) else { continue }
                try array.add(EventJSON(record: record, typeName: entry.type.name))
            }
            return try array.end()
        }
        for (entry, madeType) in zip(entries, made) {
            if Task.isCancelled { throw Self.allLogged(entries.count) }
            let text = entry.text(madeType: madeType, zone: context.process.zone)
            try context.output.line(TextTable.singleLine(text))
        }
    }

    // MARK: What people are told

    /// What is said to a person who types the lines.
    static let invitation =
        "type an event a line, as behind 'trendy log': coffee size=large --at 9:15; Ctrl-D logs them, Ctrl-C none"

    /// What is said at Ctrl-C before the lines are in the store, where they go together.
    static func nothingLogged(isTyped: Bool) -> CommandFailure {
        .interrupted(
            isTyped
                ? "nothing was logged; Ctrl-D behind the last line logs what was typed"
                : "nothing was logged; run the same command again")
    }

    /// What is said at Ctrl-C when the lines are in the store already.
    static func allLogged(_ count: Int) -> CommandFailure {
        let events = "\(FigureText.counted(count, "event")) \(count == 1 ? "was" : "were")"
        return .interrupted("\(events) logged, that is all lines; 'trendy list' shows them")
    }

    private func message(_ error: any Error) -> String {
        switch error {
        case is CommandFailure, is UnknownType, is TrendyDomain.ValidationError: CommandFailure(error).message
        default: parserMessage(LogCommand.message(for: error))
        }
    }

    private func parserMessage(_ said: String) -> String {
        UnknownOption.message(["log"], inPlaceOf: said) ?? said
    }
}

/// How many entries are stored, told from another thread.
private final class StoredCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func step() { count.withLock { $0 += 1 } }
}
