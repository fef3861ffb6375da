import Foundation
import TrendyDomain

/// Decodes what clients send; what is wrong with it is thrown as ``ServerProblem`` that names the field.
enum JSONBody {
    /// The value of some JSON.
    ///
    /// - Parameters:
    ///   - fields: The members that are looked at; troubles in others are no troubles. Nil where all may be.
    ///   - subject: What the JSON is, in messages.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, fields: [String]? = nil, subject: String = "the body"
    ) throws(ServerProblem) -> Value {
        let outline = try outline(of: data)
        if let fields, let trouble = outline.troubles.first(where: { $0.path.first.map(fields.contains) ?? true }) {
            throw problem(trouble, subject)
        }
        do {
            return try WireCoding.decode(type, from: data)
        } catch let error as DecodingError {
            if let trouble = outline.troubles.first { throw problem(trouble, subject) }
            throw ServerProblem(named(error, type, data), subject: subject)
        } catch {
            throw ServerProblem(.badRequest, "\(subject) cannot be read: \(error)")
        }
    }

    /// What is wrong with the JSON of a value, with its place. Foundation's decoder, which has the last word, does not say
    /// which number does not fit its field.
    private static func named<Value: Decodable>(
        _ error: DecodingError, _ type: Value.Type, _ data: Data
    ) -> DecodingError {
        guard let members = try? JSONValue(parsing: data).objectValue else { return error }
        do {
            _ = try WireCoding.value(type, from: members)
            return error
        } catch {
            return error as? DecodingError ?? DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "\(error)"))
        }
    }

    /// The parts of some JSON.
    static func outline(of data: Data) throws(ServerProblem) -> JSONOutline {
        do {
            return try JSONOutline(of: data)
        } catch {
            throw ServerProblem(
                .badRequest, "the body is not valid JSON: \(error.expected) is expected at byte \(error.offset)")
        }
    }

    private static func problem(_ trouble: JSONOutline.Trouble, _ subject: String) -> ServerProblem {
        trouble.path.isEmpty
            ? ServerProblem(.badRequest, "\(subject) \(trouble.message)")
            : .field(trouble.path.joined(separator: "."), trouble.message)
    }
}
