import TrendyNotation
import TrendyTerminal

/// A person named a type that there is not.
struct UnknownType: Error {
    /// What was written.
    let text: String
    /// The type that may have been meant.
    let nearest: String?
    /// What to do about it where the type may be made.
    let hint: String
    /// What to do about it where one is looked for that is there.
    private let lookHint: String
    /// Whether the command has an option that makes the type.
    private var offersToMakeIt = false

    init(_ text: String, among names: [String]) {
        self.text = text
        nearest = Suggestion.nearest(to: text, among: names)
        lookHint =
            nearest.map { "did you mean '\($0)'?" }
            ?? (names.isEmpty ? "no type is here yet, 'trendy type add NAME' makes one" : "see 'trendy type list'")
        if let nearest {
            hint = "did you mean '\(nearest)'?"
        } else if text.count > String.longestWord {
            hint = "see 'trendy type list'"
        } else if names.isEmpty {
            hint = "make it with 'trendy type add \(quoted(text))'"
        } else {
            hint = "see 'trendy type list', or make it with 'trendy type add \(quoted(text))'"
        }
    }

    var message: String {
        let message = "there is no type '\(text)'; \(offersToMakeIt ? hint : lookHint)"
        return offersToMakeIt ? message.withHint("--create-type would make it") : message
    }

    /// The same, said by a command that could make the type.
    var offeringToMakeIt: UnknownType {
        var offering = self
        offering.offersToMakeIt = true
        return offering
    }
}
