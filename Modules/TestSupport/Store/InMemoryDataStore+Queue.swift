import TrendyDomain

extension InMemoryDataStore {
    @discardableResult
    func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        try write { $0.queue.append(mutation) }
    }

    func updateMutation(_ mutation: PendingMutation) throws {
        try write { $0.queue.replace(mutation) }
    }

    func markSending(_ ids: [Int64]) throws {
        try write { contents in
            for id in ids {
                guard var mutation = contents.queue.find(id: id) else { continue }
                mutation.state = .sending
                contents.queue.replace(mutation)
            }
        }
    }

    func deleteMutation(id: Int64) throws {
        try write { $0.queue.remove(id: id) }
    }

    func findMutation(id: Int64) throws -> PendingMutation? {
        contents.queue.find(id: id)
    }

    func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let matching = contents.queue.after(query.afterId).lazy.filter(query.matches)
        return if let limit = query.limit { Array(matching.prefix(max(0, limit))) } else { Array(matching) }
    }

    func countMutations(_ query: MutationQuery) throws -> Int {
        contents.queue.after(query.afterId).count(where: query.matches)
    }
}
