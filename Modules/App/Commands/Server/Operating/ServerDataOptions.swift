import ArgumentParser
import Foundation
import TrendyServer
import TrendyTerminal

/// Where a server's data is.
struct ServerDataOptions: ParsableArguments {
    @Option(name: .long, help: "The folder of the server's data, as for 'serve'.")
    var data: String?

    @Option(name: .long, help: "PostgreSQL's URL, instead of a folder.")
    var database: String?

    func check() throws {
        if data != nil && database != nil { throw CommandFailure.usage("--database excludes --data") }
    }

    /// The folder of the data.
    @MainActor
    func folder(in context: CommandContext) throws -> URL {
        let folder = data ?? context.root.configuration.folders.server
        if folder.isEmpty { throw CommandFailure.usage("--data needs a folder") }
        return URL(fileURLWithPath: folder, isDirectory: true)
    }

    /// What works on the data.
    @MainActor
    func open(in context: CommandContext) throws -> ServerOperator {
        if let database { return try ServerOperator(database: database, clock: context.process.wallClock) }
        return try ServerOperator(dataDirectory: try folder(in: context), clock: context.process.wallClock)
    }
}

/// Where the password of an account comes from, which an operator gives it.
struct GivenPasswordOptions: ParsableArguments {
    @Flag(name: .long, help: "Read the password from standard input, one line.")
    var passwordStdin = false

    @Flag(name: .long, help: "Make a password, and print it.")
    var generate = false

    func check() throws {
        if passwordStdin && generate { throw CommandFailure.usage("--generate excludes --password-stdin") }
    }

    /// The password, and whether it was made here, so that nobody knows it who is not told.
    @MainActor
    func password(for manager: ServerOperator, in context: CommandContext) throws -> (text: String, isMade: Bool) {
        if generate { return (manager.makePassword(), true) }
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require("give it with --password-stdin, or have one made with --generate")
        return (try source.password(isNew: true), false)
    }
}
