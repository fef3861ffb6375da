import TrendyData
import TrendyDomain

extension PlantedBug {
    static let exactlyOnceBugs = [keyIsNewOnRetry, keyIsNewWhenSent, keyIsMissing]

    /// A request that is sent again has other keys, so that the server does not know it again.
    private static let keyIsNewOnRetry = PlantedBug(
        name: "keys are made anew on retry", promise: .exactlyOnce, knownSeed: 1,
        plant: { _ in
            let sent = Memory<[String: Int]>([:])
            return .sending { request, network in
                try await network(
                    request.changingMutations { mutation in
                        guard let key = mutation["key"]?.stringValue else { return }
                        let attempts = sent.use { sent in
                            sent[key, default: 0] += 1
                            return sent[key] ?? 1
                        }
                        if attempts > 1 { mutation["key"] = .string("\(key)-\(attempts)") }
                    })
            }
        })

    /// A mutation gets another key each time that it is marked as sending.
    private static let keyIsNewWhenSent = PlantedBug(
        name: "mutation gets a new key when it is sent", promise: .exactlyOnce, knownSeed: 1,
        plant: { _ in .store { RenewsKeys($0) } })

    /// Requests of the first API carry no key at all.
    private static let keyIsMissing = PlantedBug(
        name: "key is missing", promise: .exactlyOnce, knownSeed: 1, gateway: .rest,
        plant: { _ in
            .sending { request, network in
                var request = request
                request.headers["Idempotency-Key"] = nil
                return try await network(request)
            }
        })
}

private final class RenewsKeys: ForwardingStore {
    override func markSending(_ ids: [Int64]) throws {
        try super.markSending(ids)
        for id in ids {
            guard var mutation = try base.findMutation(id: id) else { continue }
            mutation.clientRequestId += "-2"
            try base.updateMutation(mutation)
        }
    }
}
