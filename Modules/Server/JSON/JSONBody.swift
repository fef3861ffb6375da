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
            let numbers = outline.oddNumbers.filter { number in
                fields.map { number.path.first.map($0.contains) ?? true } ?? true
            }
            if isPathless(error), let number = culprit(type, data, numbers) {
                throw ServerProblem.field(
                    number.path.joined(separator: "."), "must be a whole number of at most 64 bits", code: "type")
            }
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
                .badRequest, "the body is not valid JSON: \(error.expected) is expected at byte \(error.offset)")
        }
    }

    private static func problem(_ trouble: JSONOutline.Trouble, _ subject: String) -> ServerProblem {
        trouble.path.isEmpty
            ? ServerProblem(.badRequest, "\(subject) \(trouble.message)")
            : .field(trouble.path.joined(separator: "."), trouble.message)
    }

    /// Foundation's decoder does not say which number does not fit its field: it is the one that still
    /// cannot be decoded when all the others are zero.
    ///
    /// Half of those that are left is tried at a time: seven passes over the body find one of 64.
    private static func culprit<Value: Decodable>(
        _ type: Value.Type, _ data: Data, _ numbers: [JSONOutline.OddNumber]
    ) -> JSONOutline.OddNumber? {
        var suspects = numbers[...]
        while suspects.count > 1 {
            let half = suspects.prefix(suspects.count / 2)
            suspects = misfits(type, data, numbers, keeping: half) ? half : suspects.dropFirst(half.count)
        }
        // Something else may be wrong with the body.
        return misfits(type, data, numbers, keeping: []) ? nil : suspects.first
    }

    /// Whether a number does not fit its field where all but some of them are zero.
    private static func misfits<Value: Decodable>(
        _ type: Value.Type, _ data: Data, _ numbers: [JSONOutline.OddNumber],
        keeping kept: ArraySlice<JSONOutline.OddNumber>
    ) -> Bool {
        var trial = data
        for number in numbers where !kept.contains(number) {
            // As long as it was, so that nothing behind it moves.
            let start = trial.startIndex + number.range.lowerBound
            let zero = [UInt8(ascii: "0")] + [UInt8](repeating: UInt8(ascii: " "), count: number.range.count - 1)
            trial.replaceSubrange(start..<start + number.range.count, with: zero)
        }
        do {
            _ = try WireCoding.decode(type, from: trial)
            return false
        } catch {
            return (error as? DecodingError).map(isPathless) ?? false
        }
    }

    private static func isPathless(_ error: DecodingError) -> Bool {
        if case .dataCorrupted(let context) = error { context.codingPath.isEmpty } else { false }
    }
}
