import TrendyDomain
import TrendyTerminal

/// Finds a thing that a person names: by its id, or by a beginning or an end of it that no other has.
struct DocumentName {
    /// What it is: `conflict`.
    let noun: String
    /// The command that shows all of them.
    let list: String

    /// - Throws: ``CommandFailure`` where none or several can be meant.
    func find<Document: StoredDocument>(_ text: String, in documents: [Document]) throws -> Document {
        if let exact = documents.first(where: { $0.id == text }) { return exact }
        let folded = text.lowercased()
        // Ids begin with the time, so that beginnings are often alike; their ends are what is shown.
        let found = documents.filter { !folded.isEmpty && ($0.id.hasPrefix(folded) || $0.id.hasSuffix(folded)) }
        guard let first = found.first else {
            let near = ShortId.nearest(to: text, among: documents.map(\.id)).map { "did you mean '\($0)'? " } ?? ""
            throw CommandFailure.data("there is no \(noun) '\(text)'; \(near)see '\(list)'")
        }
        guard found.count == 1 else {
            let list = found.prefix(5).map(\.id).joined(separator: ", ") + (found.count > 5 ? ", …" : "")
            throw CommandFailure.data("'\(text)' can mean several \(noun)s: \(list); give more of the id")
        }
        return first
    }
}
