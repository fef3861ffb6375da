/// Asks before something is done that cannot be taken back.
@MainActor
struct Confirmation {
    let question: Question
    /// True where `--yes` was given.
    let isGiven: Bool

    /// Returns where the person agrees.
    ///
    /// - Parameter what: What will happen: "delete the type 'run' with its 12 events".
    /// - Throws: ``CommandFailure`` where he does not, or cannot be asked.
    func require(_ what: String) throws {
        if isGiven { return }
        guard question.input.isTerminal else {
            throw CommandFailure.usage("this would \(what); there is no terminal to ask, so add --yes to do it")
        }
        let answer = try question.ask("This will \(what). Go on? [y/N] ")?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else { throw CommandFailure(.declined, "nothing was changed") }
    }
}
