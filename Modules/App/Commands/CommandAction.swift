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
