import TrendyNotation
import TrendyTerminal

/// The error for the name of a type that does not exist.
struct UnknownType: Error {
    /// The typed text.
    let text: String
    /// The most similar type.
    let nearest: String?
    /// The advice for a command that could also mean a new type.
    let hint: String
    /// The advice for a command that needs an existing type.
    private let lookHint: String
    /// Whether the command has `--create-type`.
    private var offersToMakeIt = false

    init(_ text: String, among names: [String]) {
        self.text = text
        nearest = Suggestion.nearest(to: text, among: names)
        lookHint =
            nearest.map { "did you mean '\($0)'?" }
            ?? (names.isEmpty
                ? "there are no types yet; add one with 'trendy type add NAME'" : "see 'trendy type list'")
        if let nearest {
            hint = "did you mean '\(nearest)'?"
        } else if text.count > String.longestWord {
            hint = "see 'trendy type list'"
        } else if names.isEmpty {
            hint = "add it with 'trendy type add \(quoted(text))'"
        } else {
            hint = "see 'trendy type list', or add it with 'trendy type add \(quoted(text))'"
        }
    }

    var message: String {
        let message = "there is no type '\(text)'; \(offersToMakeIt ? hint : lookHint)"
        return offersToMakeIt ? message.withHint("--create-type creates it") : message
    }

    /// The error for a command with `--create-type`.
    var offeringToMakeIt: UnknownType {
        var offering = self
        offering.offersToMakeIt = true
        return offering
    }
}
