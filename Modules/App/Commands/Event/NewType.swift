import TrendyDomain
import TrendyNotation
import TrendySync

extension EventType {
    /// Stores a new type, unless somebody has made one of that name in the meantime.
    ///
    /// - Returns: The id of the type that is there then, and whether it was made.
    func storeUnlessThere(in writes: LocalWrites) throws -> (id: String, isMade: Bool) {
        let folded = Names.folded(name)
        if let present = try writes.fetch(EventType.self).first(where: { Names.folded($0.name) == folded }) {
            return (present.id, false)
        }
        try writes.create(self)
        return (id, true)
    }
}
