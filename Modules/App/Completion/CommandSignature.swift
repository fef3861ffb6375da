import ArgumentParser
import Foundation
import TrendyDomain

/// What the parser knows of a command, from its description of itself in JSON.
struct CommandSignature: Decodable {
    /// An argument, an option or a flag.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            let kind: String
            let name: String

            /// As it is written: `--note`, `-n`.
            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        /// What is said of it in help together with its neighbours; nil where it has a row of its own.
        let discussion: String?
        let defaultValue: String?
        let allValues: [String]?
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let parsingStrategy: String?

        /// True for an option whose value may be left out.
        var canStandAlone: Bool { kind == .option && parsingStrategy == "scanningForValue" && defaultValue != nil }

        /// The names as they are written, the long ones first.
        var spellings: [String] { (names ?? []).map(\.text).sorted { $0.count > $1.count } }
    }

    private struct Tool: Decodable {
        let command: CommandSignature
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let superCommands: [String]?
    let shouldDisplay: Bool?
    let subcommands: [CommandSignature]?
    let defaultSubcommand: String?
    let arguments: [Argument]?

    /// Everything about a command and those below it.
    static func of(_ command: any ParsableCommand.Type) throws -> CommandSignature {
        try WireCoding.decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
    }

    var positionals: [Argument] { (arguments ?? []).filter { $0.kind == .positional && $0.shouldDisplay } }

    /// Options and flags.
    var options: [Argument] { (arguments ?? []).filter { $0.kind != .positional && $0.shouldDisplay } }

    /// The option or flag of that name.
    func option(_ spelling: String) -> Argument? { options.first { $0.spellings.contains(spelling) } }
}
