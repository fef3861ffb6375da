import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct AccountDeleteCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your account and all its data on the server.",
        discussion: """
            This cannot be undone. The command asks for the address and the password. Your
            devices keep their records. To keep a copy of the server's data, run 'trendy
            account export' before.

            Examples:
              trendy account delete
              trendy account delete --email ann@example.org --password-stdin
            """)

    @Option(name: .long, help: "The address of the account, as a confirmation.")
    var email: String?

    @Flag(name: .long, help: "Read the password from standard input, one line.")
    var passwordStdin = false

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let isPerson = context.process.input.isTerminal && !passwordStdin
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require()
        var address = email
        if address == nil, isPerson {
            address = try context.question.ask(
                "This deletes the account \(account.email) at \(account.client.server) for ever. Type its address to confirm: "
            )
        }
        let typed = Names.trimmed(address ?? "")
        guard !typed.isEmpty else {
            throw CommandFailure.usage("this deletes an account for ever; confirm with --email ADDRESS")
        }
        try await account.checkServer()
        let password = try source.password(isNew: false)
        try await account.send { try await $0.deleteAccount(email: typed, password: password) }
        let events = try context.reader.counts()[.event] ?? 0
        try context.say(
            "deleted the account \(typed) and its data on the server; this device keeps its "
                + counted(events, "event"),
            json: DeletedAccount(email: typed, server: account.client.server.description, eventsHere: events))
    }
}

/// The deleted account and the kept records, as JSON.
private struct DeletedAccount: Encodable {
    var email: String
    var server: String
    var eventsHere: Int

    private enum CodingKeys: String, CodingKey {
        case email, server
        case eventsHere = "events_here"
    }
}

struct AccountExportCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export your records on the server, in the format of 'export json'.",
        discussion: """
            Changes that this device has not sent yet are not included. 'trendy import json'
            reads the file.

            Example:
              trendy account export mine.json
            """)

    @Argument(help: "The file (default: standard output).")
    var file: String?

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let export = ExportTarget(path: file == "-" ? nil : file, context: context)
        try export.requireFree()
        let records = try await Self.records(of: account)
        try export.write { output in
            for (place, kind) in ExportedKinds.all.enumerated() {
                try output.write("\(place == 0 ? "{" : ",\n")\"\(kind.name)\":")
                var array = JSONArrayWriter(output: output)
                for record in records[kind.entityType, default: [:]].sorted(by: { $0.key < $1.key }) {
                    try array.add(record.value)
                }
                try array.end(isNested: true)
            }
            try output.write("}\n")
        }
        guard let file, !export.isStandardOutput else { return }
        let events = records[.event, default: [:]].count
        try context.say(
            "wrote \(counted(events, "event")) and their definitions to \(file)",
            json: ExportResult(file: file, events: events))
    }

    /// All records of the account: a snapshot, with the changes that were made while it was read. Pages grow, and one that
    /// does not come through is asked for again with fewer changes.
    @MainActor
    private static func records(of account: OwnAccount) async throws -> [EntityType: [String: JSONValue]] {
        var records: [EntityType: [String: JSONValue]] = [:]
        var request = SyncRequest(limit: firstPage)
        var largest = SyncRequest.changeLimit
        while true {
            let asked = request
            let answer: SyncResponse
            do { answer = try await account.send { try await $0.exchange(asked) } } catch let error as APIError {
                guard error.mayBeOfSize, request.limit > 1 else { throw error }
                largest = max(1, request.limit / 2)
                request.limit = max(1, request.limit / 4)
                continue
            }
            for change in answer.changes {
                records[change.entityType, default: [:]][change.entityId] = change.deleted ? nil : change.record
            }
            if !answer.more { return records }
            (request.epoch, request.cursor) = (answer.epoch, answer.cursor)
            request.limit = min(request.limit * 2, largest)
        }
    }

    /// How many changes the first page has. A line of 64 kbit/s carries them in less than a minute, with notes of usual length.
    private static let firstPage = 256
}

extension APIError {
    /// Whether a smaller answer might have come through.
    fileprivate var mayBeOfSize: Bool {
        switch self {
        case .connection, .timeout, .notAServer, .malformedResponse, .answerTooLarge: true
        case .http(let status, let problem): status >= 500 && problem.retryAfter == nil
        case .notSent, .untrusted, .unauthorized, .rateLimited, .inDoubt, .cancelled: false
        }
    }
}
