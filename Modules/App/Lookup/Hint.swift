extension String {
    /// The sentence with a hint behind it: in brackets where the sentence ends in a question.
    func withHint(_ hint: String) -> String { hasSuffix("?") ? "\(self) (\(hint))" : "\(self); \(hint)" }
}
