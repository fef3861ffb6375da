import TrendyTerminal

/// Where a command takes a password from: a line of standard input, or a person at the terminal.
@MainActor
struct PasswordSource {
    let context: CommandContext
    let isStandardInput: Bool

    /// Makes sure that there is one.
    ///
    /// - Parameter advice: What to do where there is no terminal.
    func require(_ advice: String = "give it with --password-stdin") throws {
        guard isStandardInput || context.process.input.isTerminal else {
            throw CommandFailure.usage("there is no terminal to ask for the password; \(advice)")
        }
    }

    /// A password: the next line, else what is typed, twice for a new one.
    func password(_ question: String = "Password: ", isNew: Bool) throws -> String {
        let password = try isStandardInput ? read() : ask(question, isNew: isNew)
        if password.isEmpty { throw CommandFailure.data("the password is empty") }
        return password
    }

    private func read() throws -> String {
        guard let line = try context.process.input.readLine() else {
            throw CommandFailure.usage("there is no password on standard input")
        }
        return line
    }

    private func ask(_ question: String, isNew: Bool) throws -> String {
        let prompt = PasswordPrompt(input: context.process.input, output: context.errors)
        let password = try prompt.ask(question)
        if isNew, try prompt.ask("Again: ") != password { throw CommandFailure.data("the passwords differ") }
        return password
    }
}
