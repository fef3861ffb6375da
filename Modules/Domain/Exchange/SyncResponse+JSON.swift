public import Foundation

// It is read by hand because an answer has thousands of changes, and coders take as long for one as all the rest of
// its processing.

extension SyncResponse {
    /// Reads an answer from its JSON, with the results and errors of its `Decodable`, in a part of the time.
    ///
    /// - Throws: `DecodingError` where the JSON is malformed or of another shape.
    public init(parsing json: Data) throws {
        let tree = try JSONValue(parsing: json)
        do {
            self = try SyncResponse(tree)
        } catch {
            // The coder reads some more forms, and says what is wrong.
            self = try JSONTreeDecoder(tree).decode(SyncResponse.self)
        }
    }

    private init(_ json: JSONValue) throws {
        let members = try json.members()
        self.init(
            epoch: try members.text("epoch"), head: try members.whole("head"),
            results: try members.list("results").map(SyncResult.init(json:)),
            changes: try members.list("changes").map(SyncChange.init(json:)),
            cursor: try members.text("cursor"), more: try members.flag("more"))
    }
}

extension SyncResult {
    fileprivate init(json: JSONValue) throws {
        let members = try json.members()
        guard let outcome = SyncOutcome(rawValue: try members.text("outcome")) else { throw Misfit() }
        self.init(
            key: try members.text("key"), outcome: outcome,
            revision: try members.has("revision") ? members.whole("revision") : 0,
            createdRevision: try members.has("created_revision") ? members.whole("created_revision") : nil,
            replayed: try members.has("replayed") ? members.flag("replayed") : false,
            record: members.present("record"),
            server: try members.present("server").map { try JSONTreeDecoder($0).decode(ServerFields.self) },
            message: try members.has("message") ? members.text("message") : nil,
            errors: try members.present("errors").map { try JSONTreeDecoder($0).decode([FieldError].self) })
    }
}

extension SyncChange {
    fileprivate init(json: JSONValue) throws {
        let members = try json.members()
        self.init(
            entityType: EntityType(rawValue: try members.text("entity_type")),
            entityId: try members.text("entity_id"), revision: try members.whole("revision"),
            createdRevision: try members.has("created_revision") ? members.whole("created_revision") : nil,
            record: members.present("record"))
        guard try deleted == (members.has("deleted") ? members.flag("deleted") : false) else { throw Misfit() }
    }
}

/// A value is not as servers write it.
private struct Misfit: Error {}

extension JSONValue {
    fileprivate func members() throws -> [String: JSONValue] {
        guard case .object(let members) = self else { throw Misfit() }
        return members
    }
}

extension [String: JSONValue] {
    /// The value of a member; nil where it is absent or null.
    fileprivate func present(_ name: String) -> JSONValue? {
        guard let value = self[name], value != .null else { return nil }
        return value
    }

    fileprivate func has(_ name: String) -> Bool { present(name) != nil }

    fileprivate func text(_ name: String) throws -> String {
        guard case .string(let text)? = self[name] else { throw Misfit() }
        return text
    }

    fileprivate func whole(_ name: String) throws -> Int64 {
        guard case .integer(let whole)? = self[name] else { throw Misfit() }
        return whole
    }

    fileprivate func flag(_ name: String) throws -> Bool {
        guard case .boolean(let flag)? = self[name] else { throw Misfit() }
        return flag
    }

    fileprivate func list(_ name: String) throws -> [JSONValue] {
        guard case .array(let elements)? = self[name] else { throw Misfit() }
        return elements
    }
}
