import Foundation
import TrendyData
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let politeBugs = [breakerIsForgotten, retryAfterIsDropped, silenceIsNotAsked, moreIsAsked]

    /// The breaker lives in memory only, and a process that starts anew knows of no pause.
    private static let breakerIsForgotten = PlantedBug(
        name: "breaker is forgotten on restart", promise: .polite, knownSeed: 45,
        plant: { _ in
            let breaker = Memory<String?>(nil)
            return .store { BreakerInMemory($0, breaker) }
        })

    /// `Retry-After` is not read.
    private static let retryAfterIsDropped = PlantedBug(
        name: "Retry-After is dropped", promise: .polite, knownSeed: 167,
        plant: { _ in
            .answers { response, _ in
                var response = response.status == 429 ? response.changing { $0["retry_after"] = nil } : response
                response.headers["retry-after"] = nil
                return response
            }
        })

    /// A request is sent whatever the breaker says.
    private static let silenceIsNotAsked = PlantedBug(
        name: "request is sent while silent", promise: .polite, knownSeed: 45,
        plant: { _ in .store { BlindToBreaker($0) } })

    /// A cycle asks once more though the server has said that it has nothing more.
    private static let moreIsAsked = PlantedBug(
        name: "cycle asks once more for nothing", promise: .polite, knownSeed: 1,
        plant: { _ in
            let isMore = Memory(false)
            return .answers { response, request in
                guard request.isExchange, response.status == 200 else { return response }
                return response.changingExchange { answer in
                    answer.more =
                        answer.more
                        || isMore.use { isMore in
                            isMore.toggle()
                            return isMore
                        }
                }
            }
        })
}

/// Whether a name in the metadata is that of a breaker, for whatever server.
private func isOfBreaker(_ key: String) -> Bool { key.hasPrefix(MetadataKey.breaker) }

private final class BreakerInMemory: ForwardingStore {
    private let breaker: Memory<String?>

    init(_ base: any DataStoreProtocol, _ breaker: Memory<String?>) {
        self.breaker = breaker
        super.init(base)
    }

    override func metadata(_ key: String) throws -> String? {
        isOfBreaker(key) ? breaker.use { $0 } : try super.metadata(key)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        guard isOfBreaker(key) else { return try super.setMetadata(key, value) }
        breaker.use { $0 = value }
    }
}

private final class BlindToBreaker: ForwardingStore {
    override func metadata(_ key: String) throws -> String? {
        isOfBreaker(key) ? nil : try super.metadata(key)
    }
}
