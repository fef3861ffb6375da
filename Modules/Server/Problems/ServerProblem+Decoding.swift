import Foundation
import TrendyDomain

extension ServerProblem {
    /// Names the field that stopped a body from being read.
    ///
    /// - Parameter subject: What was read, in messages: "the body".
    init(_ error: DecodingError, subject: String = "the body") {
        switch error {
        case .keyNotFound(let key, let context):
            let field = Self.field(context.codingPath + [key])
            self = .field(field, "is required", code: "required")
        case .valueNotFound(_, let context):
            self = Self.wrong(context, subject, "must not be null", code: "required")
        case .typeMismatch(let type, let context):
            self = Self.wrong(context, subject, "must be \(Self.name(of: type))", code: "type")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self = ServerProblem(.badRequest, "\(subject) holds a value that does not fit its field")
        case .dataCorrupted(let context):
            self = Self.wrong(context, subject, "is invalid: \(context.debugDescription)", code: "invalid")
        @unknown default:
            self = ServerProblem(.badRequest, "\(subject) cannot be read")
        }
    }

    /// A record that breaks the rules of its kind.
    init(_ error: ValidationError) {
        let onlyIds = error.fields.allSatisfy { $0.code == "invalid_uuid" }
        self.init(onlyIds ? .invalidUUID : .validation, error.description, errors: error.fields)
    }

    /// Runs work on a client's body; what is wrong with the body becomes a refusal that says so.
    static func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as DecodingError {
            throw ServerProblem(error)
        } catch let error as ValidationError {
            throw ServerProblem(error)
        } catch let error as EncodingError {
            throw ServerProblem(.validation, "the record cannot be written as JSON: \(error)")
        }
    }

    private static func wrong(
        _ context: DecodingError.Context, _ subject: String, _ message: String, code: String
    ) -> ServerProblem {
        let field = field(context.codingPath)
        return field.isEmpty
            ? ServerProblem(.badRequest, "\(subject) \(message)")
            : .field(field, message, code: code)
    }

    private static func field(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any ArrayLike.Type: "an array"
        case is any DictionaryLike.Type: "an object"
        default: "of another type"
        }
    }
}

private protocol ArrayLike {}
extension Array: ArrayLike {}
private protocol DictionaryLike {}
extension Dictionary: DictionaryLike {}
