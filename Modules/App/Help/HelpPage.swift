import ArgumentParser
import TrendyTerminal

/// The help of one command on one screen: its purpose, usage, arguments and examples.
struct HelpPage {
    /// The width that every terminal has at least.
    static let columns = 80
    /// The description of an option whose label is longer starts outside its column.
    private static let labelColumns = 28

    private let signature: CommandSignature
    private let path: [String]

    /// - Parameter path: The words that call the command, `trendy` being the first.
    init(_ command: any ParsableCommand.Type, path: [String]) throws {
        signature = try CommandSignature.of(command)
        self.path = path
    }

    /// The lines of the page.
    var lines: [String] {
        let discussion = Discussion(signature.discussion ?? "")
        var lines = Self.wrapped(signature.abstract ?? "")
        if !discussion.paragraphs.isEmpty { lines.append("") }
        lines += discussion.paragraphs.flatMap(Self.wrapped)
        lines += ["", "Usage: \(usage)", ""]
        lines += subcommands.isEmpty ? Self.table(rows) : Self.table(subcommands)
        lines += ["", discussion.examples.count == 1 ? "Example:" : "Examples:"]
        return lines + discussion.examples.map { "  " + $0 }
    }

    private static func wrapped(_ text: String) -> [String] {
        TextWrap.lines(text.split(separator: "\n").joined(separator: " "), columns: columns)
    }

    // MARK: Usage

    private var usage: String {
        var words = path
        if !subcommands.isEmpty { return (words + ["<command> ..."]).joined(separator: " ") }
        for argument in signature.positionals {
            let word = "<\(argument.valueName ?? "value")>" + (argument.isRepeating ? " ..." : "")
            words.append(argument.isOptional ? "[\(word)]" : word)
        }
        let required = signature.options.filter { !$0.isOptional && $0.kind == .option }
        words += required.map { "\($0.spellings[0]) <\($0.valueName ?? "value")>" }
        return (words + ["[options]"]).joined(separator: " ")
    }

    // MARK: Arguments

    /// The label of one or more arguments, with their description.
    struct Row: Equatable {
        var label: String
        let text: String
    }

    private var subcommands: [Row] {
        let shown = (signature.subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
        return shown.map { command in
            let isDefault = command.commandName == signature.defaultSubcommand
            return Row(label: command.commandName + (isDefault ? " (default)" : ""), text: command.abstract ?? "")
        }
    }

    private var rows: [Row] {
        let options = Self.withoutOpposites(signature.options)
        var rows = signature.positionals.map { Row(label: "<\($0.valueName ?? "value")>", text: $0.abstract ?? "") }
        for option in options where !SharedOptions.all.contains(where: { $0.contains(option) }) {
            let row = Row(label: Self.label(option, among: signature.options), text: Self.text(option))
            // Options with the same description share a row: --lat and --lon.
            if let last = rows.last, last.text == row.text {
                rows[rows.count - 1].label += ", " + row.label
            } else {
                rows.append(row)
            }
        }
        for shared in SharedOptions.all {
            let own = options.filter(shared.contains)
            if own.isEmpty { continue }
            let labels = own.map { Self.label($0, among: signature.options) }
            rows.append(Row(label: labels.joined(separator: ", "), text: "See 'trendy help \(shared.page)'."))
        }
        return rows
    }

    /// The options without the `--no-` form of another one.
    private static func withoutOpposites(_ options: [CommandSignature.Argument]) -> [CommandSignature.Argument] {
        options.filter { option in !options.contains { isOpposite(option, of: $0) } }
    }

    /// True for `--no-yes`, of `--yes`.
    private static func isOpposite(
        _ option: CommandSignature.Argument, of other: CommandSignature.Argument
    ) -> Bool {
        option.kind == .flag && other.kind == .flag
            && option.spellings[0] == "--no-" + other.spellings[0].dropFirst(2)
    }

    private static func label(
        _ option: CommandSignature.Argument, among options: [CommandSignature.Argument]
    ) -> String {
        let name = option.spellings[0].dropFirst(2)
        let hasOpposite = options.contains { isOpposite($0, of: option) }
        let names = option.spellings.dropFirst().reversed() + [hasOpposite ? "--[no-]\(name)" : option.spellings[0]]
        let label = names.joined(separator: ", ")
        guard option.kind == .option else { return label }
        let value = "<\(option.valueName ?? "value")>"
        return label + (option.canStandAlone ? " [\(value)]" : " \(value)")
    }

    private static func text(_ option: CommandSignature.Argument) -> String {
        let text = option.discussion ?? option.abstract ?? ""
        guard option.kind == .option, let value = option.defaultValue, !text.contains("default") else { return text }
        return "\(text.hasSuffix(".") ? String(text.dropLast()) : text) (default: \(value))."
    }

    // MARK: Columns

    /// The rows, with the descriptions in a column of their own.
    static func table(_ rows: [Row]) -> [String] {
        let width = rows.map(\.label.columns).filter { $0 <= labelColumns }.max() ?? 0
        return rows.flatMap { row -> [String] in
            let isLong = row.label.columns > width
            let label = "  " + (isLong ? row.label : row.label.padded(toColumns: width)) + "  "
            if isLong, label.columns + row.text.columns <= columns { return [label + row.text] }
            let texts = TextWrap.lines(row.text, columns: columns - width - 4)
            let indented = texts.map { String(repeating: " ", count: width + 4) + $0 }
            if isLong { return ["  " + row.label] + indented }
            return [label + (texts.first ?? "")] + indented.dropFirst()
        }
    }
}

/// Options that many commands take and that one help page explains.
struct SharedOptions {
    /// The page, as `trendy help` names it.
    let page: String
    private let names: [String]

    /// The groups of such options.
    static let all = [
        SharedOptions(page: "import", names: ["--dry-run", "--skip-bad", "--create-types"]),
        SharedOptions(page: "options", names: ["--json", "--help"]),
    ]

    /// Whether the option of that name is one of them.
    func contains(_ name: String) -> Bool { names.contains(name) }

    fileprivate func contains(_ option: CommandSignature.Argument) -> Bool {
        option.spellings.contains(where: names.contains)
    }
}
