import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Runs a command line and returns its exit code.
@MainActor
public struct CommandLineRunner {
    private let process: ProcessContext
    private let overrides: (inout DependencyRegistrations) -> Void

    /// Makes a runner for a process.
    ///
    /// - Parameter overrides: Replaces parts of the product, for tests.
    public init(process: ProcessContext, overrides: @escaping (inout DependencyRegistrations) -> Void = { _ in }) {
        self.process = process
        self.overrides = overrides
    }

    /// Runs the command that the arguments name.
    ///
    /// An error is written as one line on standard error.
    ///
    /// - Returns: The exit code.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            try await execute(arguments)
            try process.output.flush()
            return CommandStatus.done.rawValue
        } catch {
            return end(with: error)
        }
    }

    /// Runs the command that the arguments name; refuses arguments that are not UTF-8.
    ///
    /// - Returns: The exit code.
    func run(bytes words: [[UInt8]]) async -> Int32 {
        do { return await run(try ArgumentTexts.texts(words)) } catch { return end(with: error) }
    }

    private func execute(_ arguments: [String]) async throws {
        let words = ShortForm.withCommandFirst(arguments)
        if words.first == CompletionAnswer.command {
            for line in CompletionAnswer(process: process).lines(Array(words.dropFirst())) {
                try process.output.line(line)
            }
            return
        }
        guard let command = try understand(words) else { return }
        do { try command.check() } catch  where error is CommandFailure || error is InputError {
            let failure = CommandFailure(error)
            let path = UnknownCommand.path(ShortForm.expanded(words)).joined(separator: " ")
            throw CommandFailure(failure.status, failure.message.withHint("see '\(path) --help'"))
        }
        let configuration = try await settings(of: command)
        if let remark = ZoneVariable.remark(process.environment) { say(remark) }
        let root = CompositionRoot(configuration: configuration, process: process, overrides: overrides)
        if command.needsSoundGraph { try root.validate() }
        defer { if process.endsWithCommand { root.leaveStoreOpen() } }
        let context = CommandContext(root: root, wantsJSON: command.wantsJSON)
        do { try await command.run(in: context) } catch {
            // Changes that were stored before the error must be synced, too.
            await Autosync(context: context).startIfDue(after: command)
            switch error {
            case StoreError.corrupt, APIError.timeout: throw CommandFailure.of(error, in: context)
            default: break
            }
            guard let type = error as? UnknownType, ShortForm.expanded(words) != words else { throw error }
            throw UnknownCommand.failure(words[0], type)
        }
        await Autosync(context: context).startIfDue(after: command)
    }

    /// The command that the words name; nil if they asked for help, which is printed.
    private func understand(_ words: [String]) throws -> (any CommandAction)? {
        if let command = PlainCommand.of(words) { return command }
        do {
            if let help = try HelpText.answer(words) {
                try process.output.line(help)
                return nil
            }
        } catch let failure as CommandFailure {
            guard let type = TypeHelp(words, orElse: failure) else { throw failure }
            return type
        }
        return try parse(words)
    }

    private func settings(of command: any CommandAction) async throws -> TrendyConfiguration {
        guard command.needsSettings else {
            return TrendyConfiguration(folders: try Folders(environment: process.environment))
        }
        if command.needsSoundSettings {
            return try await TrendyConfiguration.load(flags: command.flags, environment: process.environment)
        }
        let (configuration, problems) = try TrendyConfiguration.usable(
            flags: command.flags, environment: process.environment)
        // The doctor reports these problems itself.
        if !(command is DoctorCommand) { for problem in problems { say("continuing without it: \(problem.message)") } }
        return configuration
    }

    /// The command that the arguments name; nil if they asked for help, which is printed.
    private func parse(_ words: [String]) throws -> (any CommandAction)? {
        let arguments = ShortForm.expanded(words)
        do {
            var command = try TrendyCommand.parseAsRoot(arguments)
            if let runnable = command as? any RunnableCommand { return runnable }
            try command.run()
            return nil
        } catch {
            let text = TrendyCommand.fullMessage(for: error)
            guard TrendyCommand.exitCode(for: error).isSuccess else {
                let said = TrendyCommand.message(for: error)
                let message =
                    UnknownCommand.message(arguments) ?? UnknownOption.message(arguments, inPlaceOf: said)
                    ?? DecimalComma.message(inPlaceOf: said) ?? said
                throw CommandFailure.usage(Self.usageMessage(message, full: text))
            }
            if let message = UnknownCommand.message(arguments) { throw CommandFailure.usage(message) }
            let page = try HelpText.page(arguments, inPlaceOf: text)
            // Only the store knows whether the word is a type.
            if let word = words.first, arguments == ["log"] + words { return TypeHelp(word: word, page: page) }
            try process.output.line(page)
            return nil
        }
    }

    /// The parser's message in one line, with a hint at the help.
    private static func usageMessage(_ message: String, full: String) -> String {
        let plain = message.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
        let hint = full.split(separator: "\n").last { $0.contains("--help' for more information") }
        let sentence = plain.hasSuffix(".") ? String(plain.dropLast()) : plain
        let help = hint?.split(separator: "'").dropFirst().first
        return help.map { sentence.withHint("see '\($0)'") } ?? sentence
    }

    private func end(with error: any Error) -> Int32 {
        if error is OutputClosed { return CommandStatus.done.rawValue }
        // Output from before the error is still written.
        do { try process.output.flush() } catch {}
        if let silent = error as? SilentExit { return silent.status.rawValue }
        let failure = CommandFailure(error)
        say(failure.message.withoutLongWords, failure.excerpt)
        return failure.status.rawValue
    }

    /// Writes a line on standard error, if possible.
    ///
    /// - Parameter excerpt: Lines below the message.
    private func say(_ message: String, _ excerpt: [String] = []) {
        do {
            try process.errors.line("trendy: \(TextTable.singleLine(message))")
            for line in excerpt { try process.errors.line("  " + line) }
            try process.errors.flush()
        } catch {}
    }
}
