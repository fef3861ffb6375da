import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Answers a shell that completes a command line: `trendy __complete SHELL …`.
///
/// It reads this device's store alone, makes nothing, and is silent about whatever goes wrong: a message in the middle of
/// a line that somebody writes would be worse than nothing offered.
@MainActor
struct CompletionAnswer {
    static let command = "__complete"

    let process: ProcessContext

    /// The lines for the shell: candidates, in zsh and fish with what they are behind a tab.
    ///
    /// - Parameter arguments: The shell; then for bash its word breaks and the line up to the cursor, for others the words
    ///   after `trendy`, the one being written last.
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
            let store = try? Folders(environment: process.environment).store
            let present = store.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
            let reader = present.map { LocalStoreFactory(path: $0).makeReader() }
            let values = ValueCompleter(reader: reader, zone: process.zone)
            return try CommandLineCompleter(values: values).completion(after: words, current: current)
        } catch {
            return Completion()
        }
    }
}
