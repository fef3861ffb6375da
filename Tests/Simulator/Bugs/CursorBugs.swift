import Foundation
import TrendyData
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let cursorBugs = [changeIsPassedOver, unreadableIsDropped, cursorGoesBack, cursorIsSavedBeforeChanges]

    /// The cursor passes the last change of each answer, which is not applied.
    private static let changeIsPassedOver = PlantedBug(
        name: "last change of an answer is passed over", promise: .cursor, knownSeed: 1,
        plant: { _ in
            .answers { response, request in
                guard request.isExchange, request.members?["cursor"] != nil else { return response }
                return response.changingExchange { _ = $0.changes.popLast() }
            }
        })

    /// A change that cannot be understood is passed over and not kept.
    private static let unreadableIsDropped = PlantedBug(
        name: "unreadable change is dropped", promise: .cursor, knownSeed: 2,
        plant: { _ in .store { WithoutQuarantine($0) } })

    /// Now and then the place that is remembered is an earlier one.
    private static let cursorGoesBack = PlantedBug(
        name: "cursor goes back", promise: .cursor, knownSeed: 1,
        plant: { _ in
            let places = Memory<[String]>([])
            return .store { ForgetsPlaces($0, places) }
        })

    /// The cursor that covers an answer is saved before what it covers, in a save of its own.
    private static let cursorIsSavedBeforeChanges = PlantedBug(
        name: "cursor is saved before the changes", promise: .cursor, knownSeed: 366,
        plant: { _ in
            let next = Memory<SyncResponse?>(nil)
            return Tampering(
                store: Tampering.store { CursorFirst($0, next) }.store,
                transport: ChangedTransport { request, network in
                    let response = try await network(request)
                    if request.isExchange, response.status == 200, request.members?["cursor"] != nil {
                        let answer = try? SyncResponse(parsing: response.body)
                        next.use { $0 = answer }
                    }
                    return response
                })
        })
}

private final class WithoutQuarantine: ForwardingStore {
    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if document is QuarantinedChange { return }
        try super.putDocument(document)
    }
}

private final class ForgetsPlaces: ForwardingStore {
    private let places: Memory<[String]>

    init(_ base: any DataStoreProtocol, _ places: Memory<[String]>) {
        self.places = places
        super.init(base)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        guard key == MetadataKey.exchange, let value else { return try super.setMetadata(key, value) }
        let isSnapshot = value.contains("resync")
        let earlier = places.use { places in
            if isSnapshot { return nil as String? }
            places.append(value)
            return places.count % 4 == 0 ? places[places.count - 3] : nil
        }
        try super.setMetadata(key, earlier ?? value)
    }
}

private final class CursorFirst: ForwardingStore {
    private let next: Memory<SyncResponse?>

    init(_ base: any DataStoreProtocol, _ next: Memory<SyncResponse?>) {
        self.next = next
        super.init(base)
    }

    override func begin() throws {
        let answer = next.use { next in
            defer { next = nil }
            return next
        }
        if let answer {
            try base.begin()
            if let text = try base.metadata(MetadataKey.exchange),
                var place = try? WireCoding.decode(Fields.self, from: Data(text.utf8))
            {
                place["cursor"] = .string(answer.cursor)
                place["head"] = .integer(answer.head)
                try base.setMetadata(MetadataKey.exchange, String(decoding: WireCoding.encode(place), as: UTF8.self))
                try base.save()
            }
        }
        try super.begin()
    }
}
