import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let copyBugs = [
        joinedEditKeepsItsKey, keyStandsForTwoPayloads, givenUpIsForgotten, takenBackIsForgotten,
    ]

    /// An edit joins an operation that was never sent from here, which keeps its key.
    private static let joinedEditKeepsItsKey = PlantedBug(
        name: "joined edit keeps its key", promise: .exactlyOnce, knownSeed: 2, copies: true,
        plant: { _ in .store { KeepsKeys($0) } })

    /// The same with a server that answers a key as before, whatever comes with it.
    private static let keyStandsForTwoPayloads = PlantedBug(
        name: "server ignores what a key stood for", promise: .nothingVanishes, knownSeed: 3, copies: true,
        misreads: { request, server in request.sayingWhatTheirKeysSaid(server) },
        plant: { _ in .store { KeepsKeys($0) } })

    /// A device forgets what was made and deleted on it before it was sent.
    private static let givenUpIsForgotten = PlantedBug(
        name: "what was given up is forgotten", promise: .noResurrection, knownSeed: 2, copies: true,
        plant: { _ in .store { Forgets("given_up", $0) } })

    /// A device forgets that a deletion was taken back on it before it was sent.
    private static let takenBackIsForgotten = PlantedBug(
        name: "what was taken back is forgotten", promise: .nothingVanishes, knownSeed: 2340, copies: true,
        plant: { _ in .store { Forgets("taken_back", $0) } })
}

private final class KeepsKeys: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                guard let before = try base.findMutation(id: mutation.id), before.payload != mutation.payload,
                    before.state == .queued
                else { return mutation }
                var changed = mutation
                changed.clientRequestId = before.clientRequestId
                return changed
            })
    }
}

/// A store that keeps nothing in one of its collections.
private final class Forgets: ForwardingStore {
    private let collection: String

    init(_ collection: String, _ base: any DataStoreProtocol) {
        self.collection = collection
        super.init(base)
    }

    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if Document.collection != collection { try super.putDocument(document) }
    }
}

extension TransportRequest {
    /// The request with what was carried out under its keys, where that was something else.
    fileprivate func sayingWhatTheirKeysSaid(_ server: SimulatedServer) -> TransportRequest {
        changingMutations { mutation in
            guard let key = mutation["key"]?.stringValue,
                let done = server.effects.first(where: { $0.sent.key == key })?.sent
            else { return }
            mutation["operation"] = .string(done.operation.rawValue)
            mutation["data"] = done.operation == .delete ? nil : .object(done.data)
        }
    }
}
