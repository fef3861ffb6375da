import TrendyDomain
import TrendyNotation
import TrendySync

extension EventType {
    /// Stores a new type, unless another process has created one of that name since.
    ///
    /// - Returns: The id of the stored type, and whether it was created here.
    func storeUnlessThere(in writes: LocalWrites) throws -> (id: String, isMade: Bool) {
        let key = NameKey(name)
        if let present = try writes.fetch(EventType.self).first(where: { NameKey($0.name) == key }) {
            return (present.id, false)
        }
        try writes.create(self)
        return (id, true)
    }
}
