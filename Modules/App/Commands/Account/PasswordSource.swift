import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The source of a password: a line of standard input, or the terminal.
@MainActor
struct PasswordSource {
    let context: CommandContext
    let isStandardInput: Bool

    /// Refuses to go on without a source.
    ///
    /// - Parameter advice: What to do if there is no terminal.
    func require(_ advice: String = "give it with --password-stdin") throws {
        guard isStandardInput || context.process.input.isTerminal else {
            throw CommandFailure.usage("there is no terminal to ask for the password; \(advice)")
        }
    }

    /// The next line of standard input, or the password that the person types; twice for a new one.
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

/// The requests of a sign-in. They respect the pauses that the server asks for, like those of a sync.
@MainActor
struct SignInRequests {
    private let client: APIClient
    private let engine: SyncEngine
    private let command: String

    /// - Parameter command: The command line, for the advice in errors.
    init(_ client: APIClient, command: String, in context: CommandContext) throws {
        self.client = client
        self.command = command
        engine = try context.root.engine
    }

    var server: ServerAddress { client.server }

    /// Ends the pause that the server asked for.
    func endPause() async throws {
        try await engine.resetCircuitBreaker(of: client.serverName)
    }

    /// Sends a request, unless the server asked to wait.
    ///
    /// - Parameter provesHealth: False if an answer does not prove that the server accepts other requests.
    func send<Answer: Sendable>(
        provesHealth: Bool = true, _ request: @Sendable (APIClient) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await engine.underBreaker(of: client.serverName, provesHealth: provesHealth) {
                try await request(client)
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.wait(seconds)
            let advice = "wait, or try at once with 'trendy \(command) --now'"
            throw CommandFailure(.tryLater, "\(client.server) asked to wait \(pause); \(advice)")
        }
    }
}
