import TrendyDomain

/// Deletes what a run made, and nothing else.
struct CleanUp: Sendable {
    let account: Account
    let scene: Scene

    /// Deletes what the latest rule left, as far as it goes; events go with their types.
    func afterRule() async {
        for kind in [MadeRecord.Kind.propertyDefinition, .geofence, .eventType] {
            for record in account.made.of(kind) { try? await delete(record) }
        }
    }

    /// Deletes everything that is left, and looks whether it is gone.
    ///
    /// - Returns: What could not be deleted.
    func finally() async -> [String] {
        await afterRule()
        if let listed = try? await listedEvents() {
            // What is not listed went with its type.
            for event in account.made.of(.event) where !listed.contains(event.id) { account.made.forget(event) }
        }
        for event in account.made.of(.event) { try? await delete(event) }
        return account.made.all.map(\.path).sorted()
    }

    private func delete(_ record: MadeRecord) async throws {
        let answer = try await account.delete(record.path)
        if answer.isSuccess { return }
        // Some servers fail on what is gone: only a GET tells.
        let isGone = answer.status == 404
        if isGone { return account.made.forget(record) }
        if try await account.get(record.path).status == 404 { account.made.forget(record) }
    }

    /// The ids of the events that are listed, as far back as the run's events lie.
    private func listedEvents() async throws -> Set<String> {
        var found: Set<String> = []
        if account.made.of(.event).isEmpty { return found }
        while found.count < 1_000_000 {
            let page = try await account.get("/events?limit=1000&offset=\(found.count)").demand(200).list()
            let count = found.count
            found.formUnion(page.compactMap { $0["id"].stringValue?.lowercased() })
            let oldest = page.last.flatMap { $0["timestamp"].stringValue }.flatMap { Timestamp($0) }
            if found.count == count { break }
            if let oldest, oldest < scene.start { break }
        }
        return found
    }
}
