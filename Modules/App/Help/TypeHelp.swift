import Foundation
import TrendyDomain
import TrendyTerminal

/// Answers `trendy coffee --help` and `trendy help coffee` with the help of `log`, if `coffee` is a type and no command.
struct TypeHelp: CommandAction {
    private let word: String
    private let page: String
    /// The error if there is no such type; nil for the usual error of an unknown type.
    private let failure: CommandFailure?

    /// Answers `trendy coffee --help`.
    ///
    /// - Parameter page: The help of `log`.
    init(word: String, page: String) {
        self.word = word
        self.page = page
        failure = nil
    }

    /// Answers `trendy help coffee`; nil if the words do not ask about one word.
    ///
    /// - Parameter failure: The error if there is no such type.
    init?(_ words: [String], orElse failure: CommandFailure) {
        let plain = words.filter { !["-h", "--help"].contains($0) }
        guard plain.count == 2, plain[0] == "help", let page = try? HelpText.answer(["help", "log"]) else { return nil }
        word = plain[1]
        self.page = page
        self.failure = failure
    }

    // Help must work even if the settings are wrong.
    var needsSettings: Bool { false }
    var needsSoundGraph: Bool { false }

    func run(in context: CommandContext) async throws {
        let type: EventType
        do {
            // Help must not create a store.
            guard FileManager.default.fileExists(atPath: context.root.configuration.folders.store) else {
                throw UnknownType(word, among: [])
            }
            type = try context.lookup.type(word).entity
        } catch let unknown as UnknownType {
            throw failure ?? unknown
        }
        let name = TextTable.singleLine(type.name)
        try context.output.line(
            "'\(name)' is a type: 'trendy \(TextTable.singleLine(word))' is short for 'trendy log'.\n")
        try context.output.line(page)
    }
}
