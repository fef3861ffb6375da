extension SyncEntity {
    /// Checks a record that is written here as ``validate()`` does, except for ids that this device did not make.
    ///
    /// Servers may give ids of another form, which nobody here can change. So it accepts an id and references that
    /// stay as they were, and any reference to a record that is here.
    ///
    /// - Parameters:
    ///   - former: The version that is here; nil for a new record. It is read only if something is wrong.
    ///   - isHere: Whether the record that a reference names by this id is here.
    /// - Throws: ``ValidationError`` with every other wrong field, or what the read of a record throws.
    public func validate(
        over former: @autoclosure () throws -> Self?, isHere: (ParentReference, String) throws -> Bool
    ) throws {
        do {
            try validate()
        } catch var error as ValidationError {
            let former = try former()
            let (own, earlier) = (try StringFields.of(self), try former.map { try StringFields.of($0) })
            error.fields = try error.fields.filter { wrong in
                if wrong.field == "id" { return former?.id != id }
                guard let reference = Self.parents.first(where: { $0.field == wrong.field }) else { return true }
                if let earlier, earlier[wrong.field] == own[wrong.field] { return false }
                guard wrong.code == FieldChecks.invalidId, let parentId = own[wrong.field] else { return true }
                return try !isHere(reference, parentId)
            }
            if !error.fields.isEmpty { throw error }
        }
    }
}
