import ArgumentParser
import Foundation
import ShoppingList
import TrendyData
import TrendyDomain

extension ShoppingCommand {
    struct Sync: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Bring the list and the server together.")
        @OptionGroup var place: Place

        func run() async throws {
            let report = await (try place.module()).sync.sync()
            if let error = report.error { throw Failure("\(error); nothing is lost; sync again later") }
            print("sent \(report.pushed), received \(report.pulled)")
            if report.parked > 0 { print("\(report.parked) changes were refused and wait for you") }
            if report.conflicts > 0 { print("\(report.conflicts) conflicts: both sides changed the same thing") }
        }
    }

    struct SignUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "signup", abstract: "Make an account.")
        @OptionGroup var account: Account
        @OptionGroup var place: Place

        func run() async throws {
            let module = try place.module()
            try module.requireRoom()
            try await module.client.signup(email: account.email, password: account.password())
            try await module.keepApart()
        }
    }

    struct LogIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "login", abstract: "Sign in.")
        @OptionGroup var account: Account
        @OptionGroup var place: Place

        func run() async throws {
            let module = try place.module()
            try await module.client.login(email: account.email, password: account.password())
            try await module.keepApart()
        }
    }
}

/// Whose list it is.
struct Account: ParsableArguments {
    @Option(help: "Your e-mail address.") var email: String

    /// The password: never an option, because those are seen by everyone on the machine.
    func password() throws -> String {
        if let password = ProcessInfo.processInfo.environment["SHOPPING_PASSWORD"] { return password }
        FileHandle.standardError.write(Data("Password: ".utf8))
        guard let line = readLine(), !line.isEmpty else { throw Failure("no password was given") }
        return line
    }
}
