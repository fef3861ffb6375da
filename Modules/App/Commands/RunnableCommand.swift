import ArgumentParser
import TrendyNotation
import TrendyTerminal

/// A command with its arguments, from the parser or from the fast path.
protocol CommandAction {
    /// Whether `--json` was given.
    var wantsJSON: Bool { get }
    /// The settings of the command line, by the keys of ``TrendyConfiguration``.
    var flags: [String: String] { get }
    /// Refuses options that cannot be used together, before anything is done.
    ///
    /// It is not `validate()`, which the parser calls before it looks for unknown options: the error would hide them.
    func check() throws
    /// False for a command that must run even if the dependency graph is wrong, to report that.
    var needsSoundGraph: Bool { get }
    /// False for a command that must run even if settings are wrong, to show or correct them.
    var needsSettings: Bool { get }
    /// True for a command that contacts a server: it refuses wrong settings, which other commands ignore.
    var needsSoundSettings: Bool { get }
    @MainActor func run(in context: CommandContext) async throws
}

extension CommandAction {
    var wantsJSON: Bool { false }
    var flags: [String: String] { [:] }
    func check() throws {}
    var needsSoundGraph: Bool { true }
    var needsSettings: Bool { true }
    var needsSoundSettings: Bool { false }
}

/// A command that the parser reads.
protocol RunnableCommand: ParsableCommand, CommandAction {
    var common: CommonOptions { get }
}

extension RunnableCommand {
    var wantsJSON: Bool { common.json }
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON with the field names of the API.")
    var json = false
}

/// The options for drawing on the screen.
struct ScreenOptions: ParsableArguments {
    @Flag(name: .long, help: "Use only ASCII characters.")
    var ascii = false

    /// The screen of the command's output.
    @MainActor
    func screen(in context: CommandContext) -> Screen {
        Screen(context.output, environment: context.process.environment, isASCII: ascii)
    }
}

/// Reads one of several choices, ignoring case.
///
/// - Throws: `ValidationError` with the choices and the nearest one.
func choice<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    if let value = Value(rawValue: text.lowercased()) { return value }
    let names = Value.allCases.map(\.rawValue)
    let near = Suggestion.nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
    throw ValidationError("use one of \(names.joined(separator: ", "))\(near)")
}
