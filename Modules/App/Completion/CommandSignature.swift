import ArgumentParser
import Foundation
import TrendyDomain

/// The arguments of a command, from the JSON description that the parser writes.
struct CommandSignature: Decodable {
    /// An argument, an option or a flag.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            let kind: String
            let name: String

            /// The spelling: `--note`, `-n`.
            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        /// The description that it shares with its neighbours in the help; nil if it has its own row.
        let discussion: String?
        let defaultValue: String?
        let allValues: [String]?
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let parsingStrategy: String?

        /// Whether the argument may be left out.
        var canStandAlone: Bool { kind == .option && parsingStrategy == "scanningForValue" && defaultValue != nil }

        /// The spellings, long ones first.
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

    /// The signature of a command, with its subcommands.
    static func of(_ command: any ParsableCommand.Type) throws -> CommandSignature {
        try WireCoding.decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
    }

    var positionals: [Argument] { (arguments ?? []).filter { $0.kind == .positional && $0.shouldDisplay } }

    /// Options and flags.
    var options: [Argument] { (arguments ?? []).filter { $0.kind != .positional && $0.shouldDisplay } }

    /// The option or flag of that name.
    func option(_ spelling: String) -> Argument? { options.first { $0.spellings.contains(spelling) } }
}
