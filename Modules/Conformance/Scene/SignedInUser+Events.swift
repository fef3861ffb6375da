import TrendyDomain

extension SignedInUser {
    /// Reads the list of events page by page, newest first, as far back as the events of the run lie.
    ///
    /// An account may have any number of events that are newer than those of the run.
    ///
    /// - Parameter isEnough: Told each page; true ends the reading.
    /// - Returns: The page that was read last.
    @discardableResult
    func readEvents(until isEnough: (Answer) -> Bool) async throws -> Answer {
        var seen: Set<String> = []
        while true {
            let offset = seen.isEmpty ? "" : "&offset=\(seen.count)"
            let page = try await get("/events?limit=1000\(offset)").demand(200)
            let events = try page.list()
            let count = seen.count
            seen.formUnion(page.ids)
            let oldest = events.last.flatMap { $0["timestamp"].stringValue }.flatMap { Timestamp($0) }
            let isPast = oldest.map { $0 < scene.start } ?? false
            if isEnough(page) || isPast || seen.count == count || seen.count > 1_000_000 { return page }
        }
    }
}
