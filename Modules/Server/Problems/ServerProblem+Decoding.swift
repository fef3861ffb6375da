import Foundation
import TrendyDomain

extension ServerProblem {
    /// Names the field that stopped a body from being read.
    ///
    /// - Parameter depth: How many steps of the path lead to the record itself: 2 within a batch
    ///   (`events`, index), else 0.
    init(_ error: DecodingError, below depth: Int = 0) {
        switch error {
        case .keyNotFound(let key, let context):
            let field = Self.field(context.codingPath + [key], depth)
            self = .field(field, "is required", code: "required")
        case .valueNotFound(_, let context):
            self = Self.wrong(context, depth, "must not be null", code: "required")
        case .typeMismatch(let type, let context):
            self = Self.wrong(context, depth, "must be \(Self.name(of: type))", code: "type")
        case .dataCorrupted(let context) where context.codingPath.count <= depth && depth == 0:
            self = ServerProblem(.badRequest, "the body is not valid JSON\(Self.place(of: context))")
        case .dataCorrupted(let context):
            self = Self.wrong(context, depth, "is invalid: \(context.debugDescription)", code: "invalid")
        @unknown default:
            self = ServerProblem(.badRequest, "the body cannot be read")
        }
    }

    /// A record that breaks the rules of its kind.
    init(_ error: ValidationError) {
        let onlyIds = error.fields.allSatisfy { $0.code == "invalid_uuid" }
        self.init(onlyIds ? .invalidUUID : .validation, error.description, errors: error.fields)
    }

    /// Runs work on a client's body; what is wrong with the body becomes a refusal that says so.
    static func reading<Value>(below depth: Int = 0, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as DecodingError {
            throw ServerProblem(error, below: depth)
        } catch let error as ValidationError {
            throw ServerProblem(error)
        }
    }

    private static func wrong(
        _ context: DecodingError.Context, _ depth: Int, _ message: String, code: String
    ) -> ServerProblem {
        let field = field(context.codingPath, depth)
        return field.isEmpty
            ? ServerProblem(.badRequest, "\(depth == 0 ? "the body" : "the record") \(message)")
            : .field(field, message, code: code)
    }

    private static func field(_ path: [any CodingKey], _ depth: Int) -> String {
        path.dropFirst(depth).map(\.stringValue).joined(separator: ".")
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

    private static func place(of context: DecodingError.Context) -> String {
        guard let error = context.underlyingError as NSError?,
            let text = error.userInfo[NSDebugDescriptionErrorKey] as? String
        else { return "" }
        return ": \(text)"
    }
}

private protocol ArrayLike {}
extension Array: ArrayLike {}
private protocol DictionaryLike {}
extension Dictionary: DictionaryLike {}
