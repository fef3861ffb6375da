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
        if let fields, let first = outline.troubles.first {
            // Where there are more troubles than are remembered, any field may have one.
            let known = outline.troubles.first { $0.path.first.map(fields.contains) ?? true }
            let isAll = outline.troubles.count < JSONScanner.memory
            if let trouble = known ?? (isAll ? nil : first) { throw problem(trouble, subject) }
        }
        var data = data
        if let fields, !outline.troubles.isEmpty {
            // What no value of ours can hold is in fields that nobody looks at.
            var known = Data()
            JSONText.append(outline.members.filter { fields.contains($0.name) }, to: &known) { member, known in
                known.append("\(JSONText.quoted(member.name)):")
                known.append(data.part(member.value))
            }
            data = Data("{".utf8) + known.dropFirst().dropLast() + Data("}".utf8)
        }
        do {
            return try WireCoding.decode(type, from: data)
        } catch let error as DecodingError {
            if let trouble = outline.troubles.first { throw problem(trouble, subject) }
            // Foundation's decoder has the last word, and does not say which number does not fit its field.
            let again = Result { try WireCoding.value(type, from: JSONValue(parsing: data).objectValue ?? [:]) }
            if case .failure(let other as DecodingError) = again { throw ServerProblem(other, subject: subject) }
            throw ServerProblem(error, subject: subject)
        } catch {
            throw ServerProblem(.badRequest, "\(subject) cannot be read: \(error)")
        }
    }

    /// The parts of some JSON.
    static func outline(of data: Data) throws(ServerProblem) -> JSONOutline {
        do {
            return try JSONOutline(of: data)
        } catch {
            throw ServerProblem(
                .badRequest, "the body is not valid JSON: \(error.reason) at byte \(error.place.lowerBound)")
        }
    }

    private static func problem(_ trouble: JSONOutline.Trouble, _ subject: String) -> ServerProblem {
        let path = trouble.path.filter { !$0.isEmpty }
        return path.isEmpty
            ? ServerProblem(.badRequest, "\(subject) \(trouble.message)")
            : .field(path.joined(separator: "."), trouble.message)
    }
}
