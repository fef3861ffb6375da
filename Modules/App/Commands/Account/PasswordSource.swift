import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
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

/// The requests of a sign-in: as polite as those of a sync, towards the server that they go to.
@MainActor
struct SignInRequests {
    private let client: APIClient
    private let engine: SyncEngine
    private let command: String

    /// - Parameter command: What the person typed, for advice.
    init(_ client: APIClient, command: String, in context: CommandContext) throws {
        self.client = client
        self.command = command
        engine = try context.root.engine
    }

    /// Ends the server's pause on purpose.
    func endPause() async throws {
        try await engine.resetCircuitBreaker(of: client.serverName)
    }

    /// Sends a request, unless the server wants silence.
    ///
    /// - Parameter provesHealth: False where an answer does not mean that the server takes anything else.
    func send<Answer: Sendable>(
        provesHealth: Bool = true, _ request: @Sendable (APIClient) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await engine.underBreaker(of: client.serverName, provesHealth: provesHealth) {
                try await request(client)
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.text(seconds.rounded(.up))
            let advice = "wait, or ask all the same with 'trendy \(command) --now'"
            throw CommandFailure(.tryLater, "\(client.server) wants no requests for \(pause); \(advice)")
        }
    }
}
