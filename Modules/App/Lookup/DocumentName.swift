import TrendyDomain
import TrendyTerminal

/// Finds a document by its id, or by a unique beginning or end of the id.
struct DocumentName {
    /// The noun for messages: `conflict`.
    let noun: String
    /// The command that lists the documents.
    let list: String

    /// - Throws: ``CommandFailure`` if none or several documents match.
    func find<Document: StoredDocument>(_ text: String, in documents: [Document]) throws -> Document {
        if let exact = documents.first(where: { $0.id == text }) { return exact }
        let folded = text.lowercased()
        // Ids begin with the time, so beginnings are often equal; lists show the ends.
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
