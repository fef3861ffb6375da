import ArgumentParser
import TrendyConformance
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct ConformanceCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance", abstract: "Check whether a server follows the rules of the protocol.",
        discussion: """
            The checks use the account of --email, or create one. They delete the records
            that they create. Docs/Conformance.md describes the rules.

            Examples:
              trendy conformance --server https://trendy.example.org --email ann@example.org
              trendy conformance --server http://127.0.0.1:8080 --only feed --json
              trendy conformance --list
            """)

    @OptionGroup var account: AccountOptions

    @Option(name: .long, help: "A second account; its password is line 2.")
    var otherEmail: String?

    @Flag(name: .long, help: "Create no accounts; skip the rules that need one.")
    var noSignUp = false

    @Option(name: .long, parsing: .upToNextOption, help: "Check only these rules or groups of rules.")
    var only: [String] = []

    @Flag(name: .long, help: "Also check rules that take more than a minute.")
    var patient = false

    @Flag(name: .long, help: "Also show the requests of passed rules.")
    var verbose = false

    @Flag(name: .long, help: "List the rules without checking a server.")
    var list = false

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { account.flags }
    var needsSoundSettings: Bool { true }

    func check() throws {
        if otherEmail != nil && account.email == nil {
            throw CommandFailure.usage("--other-email needs --email, the account to work in")
        }
        if let otherEmail, otherEmail == account.email {
            throw CommandFailure.usage("--other-email must name another account than --email")
        }
        if account.passwordStdin && account.email == nil && !list {
            throw CommandFailure.usage("--password-stdin needs --email")
        }
        if noSignUp && account.email == nil && !list {
            throw CommandFailure.usage("--no-sign-up needs --email, the account to work in")
        }
    }

    func run(in context: CommandContext) async throws {
        let rules = try ConformanceRule.named(only, patient: patient)
        if list {
            let leftOut = try ConformanceRule.named(only, patient: true)
                .filter { rule in !rules.contains { $0.name == rule.name } }
            return try ConformanceText.list(rules, leftOut: leftOut, in: context)
        }
        guard let text = context.root.configuration.server else {
            throw CommandFailure.usage("no server is known; give --server URL or set TRENDY_SERVER")
        }
        let server = try ServerAddress(parse: text)
        let transport = try context.root.configuration.transport(to: server)
        let logins = try logins(in: context)
        let target = ConformanceTarget(
            send: ConformanceTransport(server: server, configuration: transport).send,
            wait: { [clock = context.process.clock] in try await clock.sleep(for: $0) },
            wallClock: context.process.wallClock, identifiers: context.process.identifiers, login: logins.first,
            otherLogin: logins.dropFirst().first, maySignUp: !noSignUp)
        try await ConformanceSession(context: context, server: server, target: target, isVerbose: verbose).check(rules)
    }

    /// The given accounts, with their passwords.
    @MainActor
    private func logins(in context: CommandContext) throws -> [ConformanceTarget.Login] {
        let emails = [account.email, otherEmail].compactMap(\.self)
        if emails.isEmpty { return [] }
        try account.passwordSource(in: context).require()
        return try emails.map { email in
            if context.process.input.isTerminal, !account.passwordStdin { try context.remark("sign in as \(email)") }
            return ConformanceTarget.Login(
                email: Names.trimmed(email), password: try account.passwordSource(in: context).password(isNew: false))
        }
    }
}
