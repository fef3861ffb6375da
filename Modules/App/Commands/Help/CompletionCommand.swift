import ArgumentParser
import TrendyNotation
import TrendyTerminal

/// Prints what a shell reads to complete `trendy`.
struct CompletionCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completions for a shell: bash, zsh or fish.",
        discussion: """
            Example:
              trendy completion bash > ~/.local/share/bash-completion/completions/trendy
              trendy completion zsh > ~/.zfunc/_trendy
              trendy completion fish > ~/.config/fish/completions/trendy.fish

            'make install' puts them in place. They know your types and properties.
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
