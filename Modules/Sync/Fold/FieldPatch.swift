import TrendyDomain

/// The changed values of a record: absent is unchanged, null is cleared.
///
/// A field that is a map is patched key by key. A value under a key is replaced whole.
struct FieldPatch: Sendable, Hashable {
    private(set) var values: [FieldPath: JSONValue]

    init(_ values: [FieldPath: JSONValue] = [:]) { self.values = values }

    /// Reads a patch from its JSON, where a map is a JSON merge patch of its keys (RFC 7396, one level).
    ///
    /// - Parameter document: The version that the patch was made for. A patch that clears a whole map clears the keys
    ///   of this version, and none that others add meanwhile.
    init(json: RecordDocument, to document: RecordDocument = [:], shape: RecordShape) {
        values = [:]
        for (field, value) in json where !RecordShape.unchangeable.contains(field) {
            if shape.maps.contains(field), let members = value.objectValue {
                for (key, value) in members { values[FieldPath(field, key: key)] = value }
            } else if shape.maps.contains(field), value == .null {
                for key in (document[field]?.objectValue ?? [:]).keys { values[FieldPath(field, key: key)] = .null }
            } else {
                values[FieldPath(field)] = value
            }
        }
    }

    /// The changes from one version of a record to another in the fields that this version knows. Other fields stay.
    init(from old: RecordDocument, to new: RecordDocument, shape: RecordShape) {
        values = [:]
        for path in shape.paths(of: old).union(shape.paths(of: new))
        where shape.fields.contains(path.field) && old[path] != new[path] {
            values[path] = new[path]
        }
    }

    /// All values of a document, as changes of an empty record.
    init(whole document: RecordDocument, shape: RecordShape) {
        values = [:]
        for path in shape.paths(of: document) { values[path] = document[path] }
    }

    var isEmpty: Bool { values.isEmpty }

    /// The patch as it is sent and stored.
    var json: RecordDocument {
        var json: RecordDocument = [:]
        for (path, value) in values {
            guard let key = path.key else {
                json[path.field] = value
                continue
            }
            var members = json[path.field]?.objectValue ?? [:]
            members[key] = value
            json[path.field] = .object(members)
        }
        return json
    }

    func applied(to document: RecordDocument) -> RecordDocument {
        var changed = document
        for (path, value) in values { changed[path] = value }
        return changed
    }

    /// This patch and then a later one, as one patch.
    func merging(_ later: FieldPatch) -> FieldPatch {
        FieldPatch(values.merging(later.values) { $1 })
    }

    /// The patch with the values at some places alone.
    func only(_ paths: Set<FieldPath>) -> FieldPatch {
        FieldPatch(values.filter { paths.contains($0.key) })
    }

    /// The patch without the values at some places.
    func removing(_ paths: Set<FieldPath>) -> FieldPatch {
        FieldPatch(values.filter { !paths.contains($0.key) })
    }
}
