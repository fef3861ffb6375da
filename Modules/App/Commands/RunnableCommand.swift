import ArgumentParser
import TrendyNotation
import TrendyTerminal

/// What a command line asks for, however it was understood.
protocol CommandAction {
    /// Whether JSON is to be printed.
    var wantsJSON: Bool { get }
    /// Settings that the command line gives, by the names of ``TrendyConfiguration``'s keys.
    var flags: [String: String] { get }
    /// Refuses options that make no sense together, before anything is touched.
    ///
    /// It is not `validate()`, which the parser calls before it has looked for unknown options: what is wrong
    /// with the others would hide them.
    func check() throws
    /// False for a command that runs even where the program is put together wrongly, to say so.
    var needsSoundGraph: Bool { get }
    /// False for a command that runs whatever the settings are, to show or mend them.
    var needsSettings: Bool { get }
    /// True for a command that speaks with a server: it refuses settings that cannot be used, which others leave out.
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

/// A command of `trendy` that does something.
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

/// How a command draws on the screen.
struct ScreenOptions: ParsableArguments {
    @Flag(name: .long, help: "Draw with plain ASCII alone.")
    var ascii = false

    /// What the command's output shows on.
    @MainActor
    func screen(in context: CommandContext) -> Screen {
        Screen(context.output, environment: context.process.environment, isASCII: ascii)
    }
}

/// Reads a word that names one of some choices, whatever its case.
///
/// - Throws: `ValidationError` that names the choices, and the nearest one.
func choice<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    if let value = Value(rawValue: text.lowercased()) { return value }
    let names = Value.allCases.map(\.rawValue)
    let near = Suggestion.nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
    throw ValidationError("there is \(names.joined(separator: ", "))\(near)")
}
