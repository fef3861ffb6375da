import ArgumentParser

/// Says which option a person may have meant.
///
/// The parser suggests the nearest of the command's options, however far away that is.
enum UnknownOption {
    /// The message for an option that the command does not have; nil where the parser says something else.
    ///
    /// - Parameter said: The parser's own message.
    static func message(_ arguments: [String], inPlaceOf said: String) -> String? {
        let beginning = "Unknown option '"
        guard said.hasPrefix(beginning), !said.contains("\n") else { return nil }
        let option = String(said.dropFirst(beginning.count).prefix { $0 != "'" })
        let (command, path) = UnknownCommand.named(arguments)
        let taker = command.configuration.defaultSubcommand ?? command
        let known = (try? CommandSignature.of(taker))?.options.flatMap(\.spellings) ?? []
        let hint = meant(by: option, among: known).map { ", did you mean '\($0)'?" } ?? ""
        return "'\(path.joined(separator: " "))' has no option '\(option)'\(hint)"
    }

    /// What other programs call an option.
    private static let synonyms = [
        "-n": "--limit", "--last": "--limit", "--count": "--limit", "--max": "--limit", "--from": "--since",
        "--after": "--since", "--to": "--until", "--before": "--until",
    ]

    /// The one of a command's options that another may mean; nil where none is near.
    static func meant(by option: String, among known: [String]) -> String? {
        if let other = synonyms[option], known.contains(other) { return other }
        let names = known.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        let name = String(option.drop { $0 == "-" })
        return Suggestion.nearest(to: name, among: names).map { "--\($0)" }
    }
}
