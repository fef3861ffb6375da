/// `trendy coffee` is short for `trendy log coffee`, where no command has that name.
enum ShortForm {
    /// The arguments with the command that is left out in the short form.
    static func expanded(_ arguments: [String]) -> [String] {
        // The parser's own scripts would let the shell expand what types are called.
        if arguments.first == "--generate-completion-script" { return ["completion"] + arguments.dropFirst() }
        guard let first = arguments.first, !first.isEmpty, !first.hasPrefix("-"), !CommandTree.names.contains(first)
        else { return arguments }
        return ["log"] + arguments
    }
}
