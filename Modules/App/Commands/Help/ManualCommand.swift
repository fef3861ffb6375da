import ArgumentParser
import Foundation
import TrendyNotation
import TrendyTerminal

/// Writes the manual pages, for `make install`.
struct ManualCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual pages into a folder.",
        discussion: "Example:\n  trendy manual share/man/man1", shouldDisplay: false)

    @Argument(help: "The folder, which must exist.")
    var folder: String

    @OptionGroup var common: CommonOptions

    var needsSettings: Bool { false }

    func run(in context: CommandContext) async throws {
        let zone = context.process.zone
        let pages = try Manual.pages(date: .init(zone.civil(context.now)))
        for page in pages {
            let path = "\(folder)/\(page.fileName)"
            do { try Data(page.text.utf8).write(to: URL(fileURLWithPath: path)) } catch {
                throw CommandFailure(.cannotCreate, "cannot write \(path); does the folder exist?")
            }
        }
        try context.say("wrote \(counted(pages.count, "page")) into \(folder)", json: pages.map(\.fileName))
    }
}

/// Prints the completion script for a shell.
struct CompletionCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completion script for bash, zsh or fish.",
        discussion: """
            Example:
              trendy completion bash > ~/.local/share/bash-completion/completions/trendy
              trendy completion zsh > ~/.zfunc/_trendy
              trendy completion fish > ~/.config/fish/completions/trendy.fish

            'make install' installs the scripts. They complete your types and properties.
            """)

    @Argument(help: "The shell: bash, zsh or fish.", transform: choice)
    var shell: CompletionShell

    @OptionGroup var common: CommonOptions

    var needsSettings: Bool { false }

    func run(in context: CommandContext) async throws {
        if context.wantsJSON { return try context.output.json(["script": shell.script]) }
        try context.output.write(shell.script)
    }
}
