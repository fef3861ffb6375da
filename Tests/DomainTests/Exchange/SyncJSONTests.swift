import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("requests and answers of the exchange as JSON")
struct SyncJSONTests {
    private let encoder: JSONEncoder

    init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    @Test("random requests have the bytes that Foundation writes")
    func requests() throws {
        let values = RandomValues(seed: 31)
        for _ in 0..<2_000 {
            let request = SyncRequest(
                epoch: values.maybe(values.text()), cursor: values.maybe(values.text()), limit: values.number(below: 9),
                mutations: (0..<values.number(below: 4)).map { _ in
                    SyncMutation(
                        key: values.text(), entityType: EntityType(rawValue: values.text()),
                        operation: values.pick(MutationOperation.allCases), entityId: values.text(),
                        base: values.pick([0, 1, .max]), data: values.maybe(values.json()))
                })
            #expect(try request.json() == encoder.encode(request))
        }
    }

    @Test("a request with a number that JSON cannot hold is refused with its path")
    func misfittingRequest() throws {
        let mutation = SyncMutation(
            key: "k", entityType: .event, operation: .create, entityId: "i", data: ["a": .number(.nan)])
        let error = #expect(throws: EncodingError.self) { try SyncRequest(mutations: [mutation]).json() }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["mutations", "Index 0", "data", "a"])
    }

    private func response(_ values: RandomValues) -> SyncResponse {
        SyncResponse(
            epoch: values.text(), head: values.pick([0, 1, .max]),
            results: (0..<values.number(below: 4)).map { _ in
                SyncResult(
                    key: values.text(), outcome: values.pick(SyncOutcome.allCases),
                    revision: values.pick([0, 1, .max]),
                    createdRevision: values.maybe(7), replayed: values.flag(), record: values.maybe(record(values)),
                    server: values.maybe(
                        ServerFields(userId: values.maybe("u"), updatedAt: values.maybe(values.moment()))),
                    message: values.maybe(values.text()),
                    errors: values.maybe([FieldError(field: values.text(), message: values.text())]))
            },
            changes: (0..<values.number(below: 4)).map { _ in
                SyncChange(
                    entityType: EntityType(rawValue: values.text()), entityId: values.text(),
                    revision: values.pick([1, .max]), createdRevision: values.maybe(3),
                    record: values.maybe(record(values)))
            },
            cursor: values.text(), more: values.flag())
    }

    private func record(_ values: RandomValues) -> JSONValue { ["a": values.json(), "b": values.json()] }

    @Test("random answers are read as they were written")
    func responses() throws {
        let values = RandomValues(seed: 32)
        for _ in 0..<2_000 {
            let response = response(values)
            #expect(try SyncResponse(parsing: encoder.encode(response)) == response)
        }
    }

    @Test("an answer in which something was left out or replaced is read, or refused, as by Foundation")
    func changedResponses() throws {
        let values = RandomValues(seed: 33)
        for _ in 0..<4_000 {
            var json = try WireCoding.decode(JSONValue.self, from: encoder.encode(response(values)))
            json.change(values)
            let bytes = try WireCoding.encode(json)
            let text = String(decoding: bytes, as: UTF8.self)
            let own = Result { try SyncResponse(parsing: bytes) }
            let theirs = Result { try JSONDecoder().decode(SyncResponse.self, from: bytes) }
            switch (own, theirs) {
            case (.success(let own), .success(let theirs)): #expect(own == theirs, "\(text)")
            case (.failure(let own as DecodingError), .failure(let theirs as DecodingError)):
                // Foundation names no field for a number that does not fit.
                if case .dataCorrupted(let context) = theirs, context.codingPath.isEmpty { continue }
                #expect(own.codingPath == theirs.codingPath, "\(text)")
            default: Issue.record("\(own) \(theirs) \(text)")
            }
        }
    }

    @Test("what is no JSON is refused with its place")
    func malformed() {
        let error = #expect(throws: DecodingError.self) { try SyncResponse(parsing: Data(#"{"epoch":"#.utf8)) }
        guard case .dataCorrupted(let context)? = error else { return }
        #expect(context.debugDescription == "malformed JSON: a value is missing at byte 9")
    }
}

extension DecodingError {
    fileprivate var codingPath: [String] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath.map(\.stringValue) + [key.stringValue]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.map(\.stringValue)
        @unknown default: []
        }
    }
}

extension JSONValue {
    /// Takes a value out of it, or puts another in its place, at some depth.
    fileprivate mutating func change(_ values: RandomValues) {
        switch self {
        case .object(var members) where !members.isEmpty:
            let name = values.pick(members.keys.sorted())
            if values.number(below: 3) == 0 {
                members[name] = values.maybe(values.pick([.null, values.json(depth: 1)]))
            } else {
                members[name]?.change(values)
            }
            self = .object(members)
        case .array(var elements) where !elements.isEmpty:
            elements[values.number(below: elements.count)].change(values)
            self = .array(elements)
        default: self = values.json(depth: 1)
        }
    }
}
