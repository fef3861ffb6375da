extension SyncEntity {
    /// Checks a record that is written here as ``validate()`` does, but for ids that this device did not make.
    ///
    /// Servers may give ids of another form, and what they have given nobody can mend. So nothing is said of an id and
    /// of references that stay as they were, nor of the form of a reference to a record that is here.
    ///
    /// - Parameters:
    ///   - former: The version that is here; nil for a new record. It is asked for only where something is wrong.
    ///   - isHere: Whether the record that a reference names by this id is here.
    /// - Throws: ``ValidationError`` with every other field that is wrong, or what the look at a record throws.
    public func validate(
        over former: @autoclosure () throws -> Self?, isHere: (ParentReference, String) throws -> Bool
    ) throws {
        do {
            try validate()
        } catch var error as ValidationError {
            let former = try former()
            let (own, earlier) = (try StringFields.of(self), try former.map(StringFields.of))
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
