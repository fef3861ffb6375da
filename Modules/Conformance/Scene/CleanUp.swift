import TrendyDomain

/// Deletes what a run made, and nothing else.
struct CleanUp: Sendable {
    let account: SignedInUser

    /// After so many records of one kind in a row that could not be deleted, the others are not tried.
    private static let patience = 5

    /// Deletes what the latest rule left, as far as it goes; events go with their types.
    func afterRule() async {
        for kind in [MadeRecord.Kind.propertyDefinition, .geofence, .eventType] {
            await deleteAll(kind) { try await delete($0) }
        }
    }

    /// Deletes everything that is left, and looks whether it is gone: a server may only say that it has deleted.
    ///
    /// - Returns: What could not be deleted, as paths.
    func finally() async -> [String] {
        await afterRule()
        await lookAgain()
        for kind in [MadeRecord.Kind.propertyDefinition, .geofence, .event, .eventType] {
            await deleteAll(kind) { record in
                try await delete(record)
                if try await account.get(record.path).isSuccess { account.made.noteThatItIsThere(record) }
            }
        }
        return account.made.left.map(\.path).sorted()
    }

    private func deleteAll(_ kind: MadeRecord.Kind, _ delete: (MadeRecord) async throws -> Void) async {
        var failures = 0
        for record in account.made.left(kind) {
            try? await delete(record)
            failures = account.made.isLeft(record) ? failures + 1 : 0
            if failures == Self.patience { return }
        }
    }

    private func delete(_ record: MadeRecord) async throws {
        let answer = try await account.delete(record.path)
        // The account has noted it.
        if answer.isSuccess { return }
        if answer.status == 404 { return account.made.forget(record) }
        // Some servers fail on what is gone: only a GET tells.
        if try await account.get(record.path).status == 404 { account.made.forget(record) }
    }

    /// Looks for what the server says it deleted, and notes what is there all the same.
    ///
    /// Where the server does not answer any more, what it said has to do.
    private func lookAgain() async {
        do {
            for kind in [MadeRecord.Kind.propertyDefinition, .geofence, .eventType] {
                for record in account.made.deleted(kind) {
                    if try await account.get(record.path).isSuccess { account.made.noteThatItIsThere(record) }
                }
            }
            // There are too many events to ask for each; what is not listed went with its type.
            let (deleted, left) = (account.made.deleted(.event), account.made.left(.event))
            if deleted.isEmpty && left.isEmpty { return }
            var listed: Set<String> = []
            try await account.readEvents {
                listed.formUnion($0.ids.map { $0.lowercased() })
                return false
            }
            for event in deleted where listed.contains(event.id) { account.made.noteThatItIsThere(event) }
            for event in left where !listed.contains(event.id) { account.made.forget(event) }
        } catch {}
    }
}
