import ArgumentParser
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The pages of the manual: one for the program, and one for each first-level command with its subcommands.
enum Manual {
    static func pages(date: CalendarDate) throws -> [ManualPage] {
        let root = try CommandSignature.of(TrendyCommand.self)
        let commands = (root.subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
        return [try overview(commands, date.text)] + commands.map { page($0, date.text) }
    }

    /// The date of the manual.
    struct CalendarDate {
        private static let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]

        let text: String

        init(_ civil: CivilTime) {
            text = "\(Self.months[max(0, min(11, civil.month - 1))]) \(civil.day), \(civil.year)"
        }
    }

    private static func overview(_ commands: [CommandSignature], _ date: String) throws -> ManualPage {
        let about = TrendyCommand.configuration.abstract
        var page = ManualPage(name: "trendy", about: about, date: date)
        page.section("SYNOPSIS")
        page.add(".Nm trendy")
        page.add(".Ar command")
        page.add(".Op Ar argument ...")
        page.section("DESCRIPTION")
        page.add(".Nm")
        page.add("logs the events of your life on this device, and syncs them between your devices.")
        page.paragraph("Each command has its own page.")
        page.terms(commands.map { ("Xr trendy-\($0.commandName) 1", $0.abstract ?? "") })
        for topic in HelpTopic.allCases where topic != .exitCodes {
            page.section(topic == .files ? "FILES" : topic.rawValue.uppercased())
            page.add(ManualPage.escaped(topic.title))
            page.literal(topic.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
        page.section("EXIT STATUS")
        page.terms(CommandStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
        page.section("EXAMPLES")
        page.literal(Discussion(TrendyCommand.configuration.discussion).examples)
        page.section("SEE ALSO")
        let names = commands.map { "trendy-\($0.commandName)" }.sorted()
        for (index, name) in names.enumerated() {
            page.add(".Xr \(name) 1" + (index + 1 < names.count ? " ," : ""))
        }
        return page
    }

    private static func page(_ command: CommandSignature, _ date: String) -> ManualPage {
        var page = ManualPage(
            name: "trendy-\(command.commandName)", about: command.abstract ?? "", date: date)
        let children = leaves(below: command)
        page.section("SYNOPSIS")
        for each in children.isEmpty ? [command] : children {
            page.add(".Nm trendy")
            page.add(".Cm " + ((each.superCommands ?? []).dropFirst() + [each.commandName]).joined(separator: " "))
            for line in synopsis(each) { page.add(line) }
        }
        page.section("DESCRIPTION")
        page.add(ManualPage.escaped(command.abstract ?? ""))
        describe(command, on: &page)
        for child in children {
            page.subsection(((child.superCommands ?? []) + [child.commandName]).joined(separator: " "))
            page.add(ManualPage.escaped(child.abstract ?? ""))
            describe(child, on: &page)
        }
        page.section("EXAMPLES")
        page.literal(([command] + children).flatMap { Discussion($0.discussion ?? "").examples })
        page.section("SEE ALSO")
        page.add(".Xr trendy 1")
        return page
    }

    /// The commands below a command that have no subcommands.
    private static func leaves(below command: CommandSignature) -> [CommandSignature] {
        let children = (command.subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != "help" }
        return children.flatMap { child in
            let below = leaves(below: child)
            return below.isEmpty ? [child] : below
        }
    }

    private static func describe(_ command: CommandSignature, on page: inout ManualPage) {
        for paragraph in Discussion(command.discussion ?? "").paragraphs { page.paragraph(paragraph) }
        let options = command.options.filter { !$0.spellings.contains("--help") }
        page.terms((command.positionals + options).map { (term($0), $0.abstract ?? "") })
    }

    private static func term(_ argument: CommandSignature.Argument) -> String {
        let value = "Ar \(argument.valueName ?? "value")"
        if argument.kind == .positional { return value }
        let names = argument.spellings.map { "Fl \(ManualPage.escaped(String($0.dropFirst())))" }
        return names.joined(separator: " , ") + (argument.kind == .option ? " \(value)" : "")
    }

    private static func synopsis(_ command: CommandSignature) -> [String] {
        let options = command.options.filter { $0.spellings.first != "--help" }.map { option in
            let name = "Fl \(ManualPage.escaped(String((option.spellings.first ?? "-").dropFirst())))"
            let text = option.kind == .option ? "\(name) Ar \(option.valueName ?? "value")" : name
            return option.isOptional || option.kind == .flag ? ".Op \(text)" : ".\(text)"
        }
        let positionals = command.positionals.map { argument in
            let text = "Ar \(argument.valueName ?? "value")" + (argument.isRepeating ? " ..." : "")
            return argument.isOptional ? ".Op \(text)" : ".\(text)"
        }
        return options + positionals
    }
}

/// The discussion of a command, split into text and examples.
struct Discussion {
    /// The lines after `Example:`, without their indentation.
    private(set) var examples: [String] = []
    /// The other paragraphs.
    private(set) var paragraphs: [String] = []

    init(_ text: String) {
        var isExample = false
        var paragraph: [String] = []
        func end() {
            if !paragraph.isEmpty { paragraphs.append(paragraph.joined(separator: "\n")) }
            paragraph = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("Example") {
                end()
                isExample = true
            } else if isExample, line.hasPrefix("  ") {
                examples.append(Names.trimmed(line))
            } else if line.isEmpty {
                end()
            } else {
                isExample = false
                paragraph.append(line)
            }
        }
        end()
    }
}

/// A page of the manual in mdoc(7), which both mandoc and groff read.
struct ManualPage {
    /// The name of the page: `trendy-log`.
    let name: String
    private(set) var lines: [String]

    /// - Parameter date: The date in the form of mdoc: `November 22, 2026`.
    init(name: String, about: String, date: String) {
        self.name = name
        lines = [
            ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)",
            ".Nd \(Self.escaped(Self.withoutStop(about)))",
        ]
    }

    var fileName: String { "\(name).1" }
    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func section(_ title: String) { lines.append(".Sh \(title)") }

    mutating func subsection(_ title: String) { lines.append(".Ss \(Self.escaped(title))") }

    /// Adds a line of mdoc.
    mutating func add(_ line: String) { lines.append(line) }

    mutating func paragraph(_ text: String) {
        lines.append(".Pp")
        lines += Self.prose(text)
    }

    /// Adds literal lines.
    mutating func literal(_ text: [String]) {
        lines.append(".Bd -literal -offset indent")
        lines += text.map { $0.isEmpty ? "" : Self.line($0) }
        lines.append(".Ed")
    }

    /// Adds a list of terms, in mdoc, with their descriptions.
    mutating func terms(_ terms: [(term: String, meaning: String)]) {
        if terms.isEmpty { return }
        lines.append(".Bl -tag -width indent")
        for (term, meaning) in terms {
            lines.append(".It \(term)")
            lines += Self.prose(meaning)
        }
        lines.append(".El")
    }

    /// Escapes the characters that have a meaning in mdoc.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            default: result += character.unicodeScalars.map(Self.named).joined()
            }
        }
    }

    /// The escape of a character that old formatters cannot read.
    private static func named(_ scalar: Unicode.Scalar) -> String {
        guard !scalar.isASCII else { return String(scalar) }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }

    /// One sentence per line, as mdoc requires.
    private static func prose(_ text: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            sentence += sentence.isEmpty ? String(word) : " \(word)"
            guard let end = word.last(where: { !"')\"".contains($0) }), ".!?".contains(end) else { continue }
            sentences.append(sentence)
            sentence = ""
        }
        if !sentence.isEmpty { sentences.append(sentence) }
        return sentences.map(line)
    }

    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    private static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
