public import TrendyDomain

extension DataStoreProtocol {
    /// Adds a sync to the history, behind those before it.
    ///
    /// The history is sorted by the times in the ids. If the clock has been set back since the last sync, the new entry gets an
    /// id with the next millisecond after the time of the last entry.
    ///
    /// - Returns: The entry as it is stored.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func append(_ entry: SyncHistoryEntry) throws -> SyncHistoryEntry {
        var entry = entry
        if let text = try value(String.self, for: MetadataKey.lastHistoryEntry), text >= entry.id,
            let last = UUIDv7(text), let own = UUIDv7(entry.id)
        {
            let time = UInt64(last.timestamp.milliseconds + 1)
            entry.id = UUIDv7(milliseconds: time, randomHigh: UInt16(own.high & 0x0FFF), randomLow: own.low).description
        }
        try putDocument(entry)
        try setValue(entry.id, for: MetadataKey.lastHistoryEntry)
        return entry
    }
}
