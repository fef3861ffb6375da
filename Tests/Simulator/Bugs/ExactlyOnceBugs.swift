import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let exactlyOnceBugs = [keyIsNewOnRetry, batchKeyIsForgotten, keyIsMissing]

    /// Each further attempt of a mutation has a key of its own, so that the server does not know it again.
    private static let keyIsNewOnRetry = PlantedBug(
        name: "key is made anew on retry", promise: .exactlyOnce, knownSeed: 3,
        plant: { _ in
            let sent = Memory<[String: Int]>([:])
            return .sending { request, network in
                var request = request
                if let key = request.headers[idempotencyKey] {
                    let attempts = sent.use { sent in
                        sent[key, default: 0] += 1
                        return sent[key] ?? 1
                    }
                    if attempts > 1 { request.headers[idempotencyKey] = "\(key)-\(attempts)" }
                }
                return try await network(request)
            }
        })

    /// The key of a batch is not in the store when its request leaves, so that the batch falls apart on a resend.
    private static let batchKeyIsForgotten = PlantedBug(
        name: "batch key is forgotten", promise: .exactlyOnce, knownSeed: 1,
        plant: { _ in .store { WithoutBatchKey($0) } })

    /// Requests carry no key at all.
    private static let keyIsMissing = PlantedBug(
        name: "key is missing", promise: .exactlyOnce, knownSeed: 175,
        plant: { _ in
            .sending { request, network in
                var request = request
                request.headers[idempotencyKey] = nil
                return try await network(request)
            }
        })

    private static let idempotencyKey = "Idempotency-Key"
}

private final class WithoutBatchKey: ForwardingStore {
    override func markSending(_ ids: [Int64], batchKey: String?) throws {
        try super.markSending(ids, batchKey: nil)
    }
}
