import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let exactlyOnceBugs = [keyIsNewOnRetry, keyIsMissing]

    /// Each further attempt of a mutation has a key of its own, so that the server does not know it again.
    private static let keyIsNewOnRetry = PlantedBug(
        name: "key is made anew on retry", promise: .exactlyOnce, knownSeed: 2,
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

    /// Requests carry no key at all.
    private static let keyIsMissing = PlantedBug(
        name: "key is missing", promise: .exactlyOnce, knownSeed: 907,
        plant: { _ in
            .sending { request, network in
                var request = request
                request.headers[idempotencyKey] = nil
                return try await network(request)
            }
        })

    private static let idempotencyKey = "Idempotency-Key"
}
