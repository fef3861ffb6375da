import Foundation
import Synchronization
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let cancellableBugs = [cancellationIsSwallowed, lostConnectionIsCancellation]

    /// A request goes on, and its sync with it, after the sync was cancelled.
    private static let cancellationIsSwallowed = PlantedBug(
        name: "cancellation is swallowed", promise: .cancellable, knownSeed: 12,
        plant: { site in
            .sending { request, network in
                let answer = Memory<Result<TransportResponse, any Error>?>(nil)
                return try await withoutActuallyEscaping(network) { network in
                    let task = Task(executorPreference: site.executor) {
                        do {
                            let response = try await network(request)
                            answer.use { $0 = .success(response) }
                        } catch { answer.use { $0 = .failure(error) } }
                    }
                    await task.value
                    return try answer.use { $0 }?.get() ?? TransportResponse(status: 500)
                }
            }
        })

    /// A sync whose connection is lost says that it was cancelled.
    private static let lostConnectionIsCancellation = PlantedBug(
        name: "lost connection counts as cancelled", promise: .cancellable, knownSeed: 3,
        plant: { _ in
            .sending { request, network in
                do { return try await network(request) } catch APIError.connection { throw APIError.cancelled }
            }
        })
}
