import ArgumentParser
import TrendyData
import TrendyDomain

/// Logs what standard input has, a line an event, in the words of `trendy log`.
@MainActor
struct LogLines {
    let createsTypes: Bool

    /// Every line is read and understood before anything is stored, and all are stored together or none.
    func run(in context: CommandContext) async throws {
        let entries = try read(in: context)
        if entries.isEmpty {
            return try context.say("nothing to log: standard input has no lines", json: [String]())
        }
        let made = try await context.store.perform { writes in
            try entries.map { try $0.store(in: writes) }
        }
        if context.wantsJSON {
            var array = JSONArrayWriter(output: context.output)
            for entry in entries {
                if let record = try context.reader.find(Event.self, id: entry.event.id) { try array.add(record) }
            }
            return try array.end()
        }
        for (entry, madeType) in zip(entries, made) {
            let text = entry.text(madeType: madeType, zone: context.process.zone)
            try context.output.line(TextTable.singleLine(text))
        }
    }

    private func read(in context: CommandContext) throws -> [LogEntry] {
        var entries = LogEntries()
        var found: [LogEntry] = []
        var number = 0
        while true {
            number += 1
            do {
                guard var line = try context.process.input.readLine() else { return found }
                // Editors mark UTF-8 with it; no name of a type begins with it.
                if number == 1, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
                let words = try ShellWords.split(line)
                if words.isEmpty { continue }
                found.append(try entries.make(try command(words).request, createsTypes: createsTypes, in: context))
            } catch let failure as CommandFailure where failure.status == .inputOutput {
                throw failure
            } catch {
                let message = error is CleanExit ? "--help has no place here" : message(error)
                throw CommandFailure.data("line \(number): \(message); nothing was logged")
            }
        }
    }

    private func command(_ words: [String]) throws -> LogCommand {
        let command = try LogCommand.parse(words)
        guard command.type != "-", !command.common.json else {
            throw CommandFailure.usage("'-' and --json belong to the command, not to a line")
        }
        return command
    }

    private func message(_ error: any Error) -> String {
        switch error {
        case is CommandFailure, is UnknownType, is TrendyDomain.ValidationError: CommandFailure(error).message
        default: LogCommand.message(for: error)
        }
    }
}
