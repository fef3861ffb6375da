import ArgumentParser
import Synchronization
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Logs the lines of standard input, one event per line, in the form of `trendy log`.
@MainActor
struct LogLines {
    let createsTypes: Bool

    /// How often Ctrl-C is checked while no line comes, in milliseconds.
    private static let patience: Int32 = 100

    /// Reads all lines before it stores any; stores all of them or none.
    ///
    /// - Throws: ``CommandFailure`` for a line that cannot be logged, and at Ctrl-C.
    func run(in context: CommandContext) async throws {
        try await context.interruption.during { try await log(in: context) }
    }

    private func log(in context: CommandContext) async throws {
        let entries = try read(in: context)
        if entries.isEmpty {
            return try context.say("nothing was logged: standard input has no lines", json: [String]())
        }
        let made = try await store(entries, in: context)
        try tell(entries, made, in: context)
    }

    // MARK: Reading

    private func read(in context: CommandContext) throws -> [LogEntry] {
        let input = context.process.input
        // Progress would disturb a person who types the lines.
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
                // Some editors write a byte order mark, which no name of a type begins with.
                if number == 1, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
                progress?.advance()
                let words = try ShellWords.split(line)
                if words.isEmpty { continue }
                found.append(try entries.make(try request(words), createsTypes: createsTypes, in: context))
            } catch let failure as CommandFailure where failure.status == .inputOutput {
                throw failure
            } catch {
                // For --help, the parser throws an error that is no failure.
                let asksForHelp = LogCommand.exitCode(for: error).isSuccess
                let message = asksForHelp ? "--help cannot be used in a line" : message(error)
                throw CommandFailure.data("line \(number): \(message); nothing was logged")
            }
        }
    }

    /// Waits for a line or the end. A blocking read would not notice Ctrl-C.
    private func awaitLine(from input: StandardInput) throws {
        repeat {
            if Task.isCancelled { throw Self.nothingLogged(isTyped: input.isTerminal) }
        } while !input.isReady(within: Self.patience)
    }

    private func request(_ words: [String]) throws -> LogRequest {
        // The parser is much slower than everything else here.
        if let request = PlainCommand.log(words[...]) { return request }
        let command = try LogCommand.parse(words)
        guard command.type != "-", !command.common.json else {
            throw CommandFailure.usage("'-' and --json cannot be used in a line")
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

    // MARK: Messages

    /// The prompt for a person who types the lines.
    static let invitation =
        "type one event per line, like: coffee size=large --at 9:15; Ctrl-D logs all lines, Ctrl-C none"

    /// The message for Ctrl-C before the lines are stored.
    static func nothingLogged(isTyped: Bool) -> CommandFailure {
        .interrupted(
            isTyped
                ? "nothing was logged; press Ctrl-D after the last line to log the lines"
                : "nothing was logged; run the same command again")
    }

    /// The message for Ctrl-C after the lines were stored.
    static func allLogged(_ count: Int) -> CommandFailure {
        let events = "\(FigureText.counted(count, "event")) \(count == 1 ? "was" : "were")"
        return .interrupted("\(events) logged, all lines are stored; 'trendy list' shows them")
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

/// The number of stored entries, counted on another thread.
private final class StoredCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func step() { count.withLock { $0 += 1 } }
}
