import Foundation
import TrendyData
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let cursorBugs = [cursorIsSavedBeforePage, cursorIsOneTooFar, unreadableIsDropped, cursorGoesBack]

    /// The cursor that covers a page is saved before the page, in a save of its own.
    private static let cursorIsSavedBeforePage = PlantedBug(
        name: "cursor is saved before the page", promise: .cursor, knownSeed: 1,
        plant: { _ in
            let next = Memory<Int64?>(nil)
            return Tampering(
                store: Tampering.store { CursorFirst($0, next) }.store,
                transport: ChangedTransport { request, network in
                    let response = try await network(request)
                    if request.isFeedPage, response.status == 200,
                        let page = try? WireCoding.decode(ChangeFeedResponse.self, from: response.body),
                        let last = page.changes.map(\.id).max()
                    {
                        next.use { $0 = last }
                    }
                    return response
                })
        })

    /// The cursor points one place too far, past a change that was not read.
    private static let cursorIsOneTooFar = PlantedBug(
        name: "cursor is one too far", promise: .cursor, knownSeed: 1,
        plant: { _ in .store { WithoutWindow($0, ahead: 1) } })

    /// A change that cannot be understood is passed over and not kept.
    private static let unreadableIsDropped = PlantedBug(
        name: "unreadable change is dropped", promise: .cursor, knownSeed: 3,
        plant: { _ in .store { WithoutQuarantine($0) } })

    /// The cursor is set to what a page says, though it has been further already.
    private static let cursorGoesBack = PlantedBug(
        name: "cursor goes back", promise: .cursor, knownSeed: 56,
        plant: { _ in .store { BlindToCursor($0) } })
}

private final class CursorFirst: ForwardingStore {
    private let next: Memory<Int64?>

    init(_ base: any DataStoreProtocol, _ next: Memory<Int64?>) {
        self.next = next
        super.init(base)
    }

    override func begin() throws {
        if let cursor = next.use({ next in
            defer { next = nil }
            return next
        }) {
            try base.begin()
            try base.setMetadata(MetadataKey.cursor, String(cursor))
            try base.setMetadata(MetadataKey.feedWindow, #"{"entries":[],"settled":\#(cursor)}"#)
            try base.save()
        }
        try super.begin()
    }
}

/// Counts the feed as settled up to its newest entry, or further, so that none of it is read again.
final class WithoutWindow: ForwardingStore {
    private let ahead: Int64

    init(_ base: any DataStoreProtocol, ahead: Int64 = 0) {
        self.ahead = ahead
        super.init(base)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        guard key == MetadataKey.feedWindow, let value,
            var window = try? WireCoding.decode([String: JSONValue].self, from: Data(value.utf8)),
            case .array(let entries)? = window["entries"], case .integer(let last)? = entries.last?.objectValue?["id"]
        else { return try super.setMetadata(key, value) }
        window["settled"] = .integer(last + ahead)
        window["entries"] = .array([])
        try super.setMetadata(key, String(decoding: WireCoding.encode(window), as: UTF8.self))
    }
}

private final class WithoutQuarantine: ForwardingStore {
    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if document is QuarantinedChange { return }
        try super.putDocument(document)
    }
}

private final class BlindToCursor: ForwardingStore {
    private var isWriting = false

    override func begin() throws {
        isWriting = true
        try super.begin()
    }

    override func metadata(_ key: String) throws -> String? {
        key == MetadataKey.cursor && isWriting ? nil : try super.metadata(key)
    }
}
