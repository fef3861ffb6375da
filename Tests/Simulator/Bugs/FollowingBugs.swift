import Foundation
import TrendyData
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let followingBugs = [hintCountsAsReceived, followsByHintsAlone]

    /// The head that a hint names is taken for the place up to which everything was received.
    private static let hintCountsAsReceived = PlantedBug(
        name: "a hint counts as received", promise: .cursor, knownSeed: 5, other: .convergence, follows: true,
        plant: { _ in
            let hinted = Memory<ServerHead?>(nil)
            return Tampering(
                store: Tampering.store { BelievesHints($0, hinted) }.store, transport: HintEar(hinted: hinted))
        })

    /// A device that follows syncs on hints, and never by itself.
    private static let followsByHintsAlone = PlantedBug(
        name: "follows by hints alone", promise: .convergence, knownSeed: 1, follows: true, followInterval: 1e9)
}

private struct HintEar: TransportTampering {
    let hinted: Memory<ServerHead?>

    func send(
        _ request: TransportRequest, over network: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse { try await network(request) }

    func hears(_ piece: Data) {
        let line = String(decoding: piece, as: UTF8.self).split(separator: "\n").last ?? ""
        guard line.hasPrefix("data: ") else { return }
        let head = try? WireCoding.decode(ServerHead.self, from: Data(line.dropFirst("data: ".count).utf8))
        if let head { hinted.use { $0 = head } }
    }
}

private final class BelievesHints: ForwardingStore {
    private let hinted: Memory<ServerHead?>

    init(_ base: any DataStoreProtocol, _ hinted: Memory<ServerHead?>) {
        self.hinted = hinted
        super.init(base)
    }

    override func begin() throws {
        let head = hinted.use { hinted in
            defer { hinted = nil }
            return hinted
        }
        if let head {
            try base.begin()
            if let text = try base.metadata(MetadataKey.exchange),
                var place = try? WireCoding.decode(Fields.self, from: Data(text.utf8)),
                place["resync"] == nil, place["epoch"]?.stringValue == head.epoch
            {
                let proof = (place["cursor"]?.stringValue ?? "").split(separator: "~").dropFirst().prefix(1)
                place["cursor"] = .string((["\(head.head)"] + proof).joined(separator: "~"))
                place["head"] = .integer(head.head)
                try base.setMetadata(MetadataKey.exchange, String(decoding: WireCoding.encode(place), as: UTF8.self))
                try base.save()
            }
        }
        try super.begin()
    }
}
