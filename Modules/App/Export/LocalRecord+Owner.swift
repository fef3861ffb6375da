import TrendyDomain

extension LocalRecord {
    /// The record with whose it is, where the server has it; an import into another account's store then gives it an id
    /// of its own.
    ///
    /// A store does not keep it with each record, because all are one person's.
    func owned(by userId: String?) -> LocalRecord {
        if server.createdAt == nil { return self }
        var record = self
        record.server.userId = userId
        return record
    }
}
