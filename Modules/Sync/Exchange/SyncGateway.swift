import TrendyDomain

/// The way to a server: carries out one exchange.
///
/// The engine's core knows no other view of a server, and none of its quirks. A gateway is made for one cycle. It
/// keeps what the next one must know in the cursor.
///
/// A result may be missing. Then nobody knows whether the mutation took effect, and it is sent again, unless the answer
/// says that it is ``GatewayAnswer/untouched``. If a request fails after others of the same exchange were answered, the
/// gateway answers what it has with ``SyncResponse/more``, and throws the error at the next exchange. A pause that the
/// server asks for is told at once.
protocol SyncGateway: Sendable {
    /// Sends mutations and receives changes.
    ///
    /// - Parameters:
    ///   - unanswered: The open mutations that may have reached the server before: those of the request, and others, which
    ///     are not to be sent. Where the server shows that one of the others was carried out, the answer has its result too.
    ///   - former: The cursor that a snapshot takes the place of; nil if there is none, or its history has ended.
    /// - Throws: ``APIError``; ``GatewayFailure`` where more is known of what the mutations did than that error tells.
    func exchange(
        _ request: SyncRequest, unanswered: [SyncMutation], after former: String?
    ) async throws -> GatewayAnswer

    /// Whether an exchange from that cursor looks at what the device has. Then the answer before it is saved first.
    func readsDevice(for cursor: String?) -> Bool

    /// Whether an epoch goes on with the revisions of a former one, so that the same revision may be the same version.
    func countsOn(from former: String, in epoch: String) -> Bool

    /// Whether an exchange from that cursor is divided into several requests. Then their sizes are the gateway's
    /// business, and so is the search for what a server fails on.
    func dividesExchange(from cursor: String?) -> Bool

    /// Where the device stood in another way to the server before it came to that cursor; nil where it has used no other.
    func former(to cursor: String) throws -> ExchangeAbsence.Former?

    /// The cursor with which to go on from this one, if the device has not taken in what led to it.
    func skipped(_ cursor: String) throws -> String

    /// Asks for records that the server has had and that a snapshot did not show. It may leave some out.
    ///
    /// - Throws: ``APIError``.
    func whereabouts(of records: [RecordKey], at cursor: String?) async throws -> [RecordKey: Whereabouts]
}

/// What a server says of a record that it has had.
enum Whereabouts: Sendable, Hashable {
    /// It is there: the snapshot did not show it because it moved meanwhile.
    case there
    /// It was deleted.
    case gone
}

extension SyncGateway {
    /// There is one way.
    func former(to cursor: String) throws -> ExchangeAbsence.Former? { nil }

    /// It is one request.
    func dividesExchange(from cursor: String?) -> Bool { false }

    /// Servers of the exchange compare revisions, so they notice an edit of an old version.
    func skipped(_ cursor: String) throws -> String { cursor }

    /// A snapshot of the exchange shows everything.
    func whereabouts(of records: [RecordKey], at cursor: String?) async throws -> [RecordKey: Whereabouts] {
        Dictionary(records.map { ($0, .gone) }) { $1 }
    }
}

extension SyncGateway {
    /// Receives changes, while nothing may have reached the server.
    ///
    /// - Throws: As ``exchange(_:unanswered:after:)``.
    func exchange(_ request: SyncRequest) async throws -> GatewayAnswer {
        try await exchange(request, unanswered: [], after: nil)
    }

    /// Receives changes alone.
    ///
    /// - Throws: ``APIError``.
    func receive(_ request: SyncRequest) async throws -> SyncResponse {
        do { return try await exchange(request).response } catch let failure as GatewayFailure {
            throw failure.error
        }
    }
}

/// What an exchange has brought.
struct GatewayAnswer: Sendable {
    var response: SyncResponse
    /// The keys of mutations of which no request of this exchange can have had an effect: none has carried them, or the
    /// server refused each that did.
    var untouched: Set<String> = []
    /// Whether its last request was refused for too many requests.
    var wasRefused = false

    /// Whether it shows that the server answers, so that the breaker closes.
    var provesHealth: Bool { response.isOfServer && !wasRefused }
}

/// Why an exchange has brought nothing.
struct GatewayFailure: Error {
    let error: any Error
    /// As in ``GatewayAnswer``.
    let untouched: Set<String>
}

extension SyncResponse {
    /// Whether a server has surely answered. A gateway of several requests may answer only to have its new cursor stored,
    /// before any server has answered.
    var isOfServer: Bool { !more || !results.isEmpty || !changes.isEmpty }
}
