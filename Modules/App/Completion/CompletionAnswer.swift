import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Answers a shell that completes a command line: `trendy __complete SHELL …`.
///
/// It only reads the store, creates nothing, and reports no errors: a message in the middle of the command line would be
/// worse than no completions.
@MainActor
struct CompletionAnswer {
    static let command = "__complete"

    let process: ProcessContext

    /// The lines for the shell: candidates, for zsh and fish followed by a tab and a description.
    ///
    /// - Parameter arguments: The shell; then for bash its word breaks and the line up to the cursor, for others the words
    ///   after `trendy`; the last one is at the cursor.
    func lines(_ arguments: [String]) -> [String] {
        guard let name = arguments.first, let shell = CompletionShell(rawValue: name) else { return [] }
        let rest = Array(arguments.dropFirst())
        switch shell {
        case .bash:
            guard rest.count == 2 else { return [] }
            let word = BashWord(rest[1], breaks: rest[0])
            return bashLines(completion(Array(word.before.dropFirst()), word.current), word)
        case .zsh, .fish:
            let current = BashWord(rest.last ?? "", breaks: "").current
            let found = completion(Array(rest.dropLast()), shell == .fish ? current : rest.last ?? "")
            let lines = found.candidates.map { "\($0.text)\t\(TextTable.singleLine($0.about))" }
            return lines + (found.files.map { [":\($0.rawValue)"] } ?? [])
        }
    }

    private func bashLines(_ found: Completion, _ word: BashWord) -> [String] {
        if let files = found.files { return [":\(files.rawValue)"] }
        let texts = found.candidates.compactMap { word.replacement($0.text) }
        let isOpen = texts.count == 1 && texts[0].hasSuffix("=")
        return texts.map { "=\($0)" } + (isOpen ? [":nospace"] : [])
    }

    private func completion(_ words: [String], _ current: String) -> Completion {
        do {
            let folders = try? Folders(environment: process.environment)
            let present = folders.flatMap { FileManager.default.fileExists(atPath: $0.store) ? $0 : nil }
            let reader = present.map { LocalStoreFactory(in: $0).makeReader() }
            let values = ValueCompleter(reader: reader, zone: process.zone)
            return try CommandLineCompleter(values: values).completion(after: words, current: current)
        } catch {
            return Completion()
        }
    }
}
