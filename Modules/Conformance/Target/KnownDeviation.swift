/// A way in which deployed servers differ from the protocol, and which the sync engine copes with.
public enum KnownDeviation: String, CaseIterable, Codable, Sendable, Hashable {
    /// PUT and DELETE of a record that is gone answer 500, not 404; a GET tells the difference.
    case goneIsServerError = "gone-is-500"
    /// A batch with a record that exists already fails as a whole with 500.
    case batchIsAllOrNothing = "batch-all-or-nothing"
    /// Two events of one type at one moment conflict: 409.
    case timestampsCollide = "timestamps-collide"
    /// Each refused request (429) restarts the limiter's window.
    case refusalsRestartTheWindow = "refusals-restart-window"
    /// Ids of the feed are assigned before the commit: an entry with a smaller id can appear late.
    case feedEntriesComeLate = "late-feed-entries"
    /// The same type, by id or by name, is a 500 that speaks of a duplicate key.
    case typesArePlainInserts = "types-plain-insert"
    /// An outage of the sign-in service looks like 401.
    case outageLooksLikeSignedOut = "outage-is-401"
    /// The single POST of an event ignores the place: `geofence_id` and the `location_*` fields.
    case postDropsPlace = "post-drops-place"
    /// The feed names the deleted type only, not its children.
    case cascadesAreNotLogged = "cascades-not-logged"
    /// Errors are `{"error":"text"}` or plain text, not `application/problem+json`.
    case plainErrors = "plain-errors"
    /// A method that a route does not have is 404, not 405.
    case methodsAreNotFound = "methods-are-404"
    /// There is no `POST /auth/refresh`.
    case noRefresh = "no-refresh"
    /// The same idempotency key with another body or record is not refused.
    case keysAreNotBound = "keys-not-bound"
    /// Idempotency keys do not count for DELETE.
    case deletionsHaveNoKeys = "delete-without-keys"
    /// Idempotency keys do not count for batches.
    case batchesHaveNoKeys = "batch-without-keys"
    /// Times have other than three digits of a second's fraction, or an offset in place of `Z`.
    case timesInOtherForms = "times-in-other-forms"
    /// There is no `POST /sync`: the server speaks the older routes alone.
    case noExchange = "no-exchange"

    /// The difference in a sentence, as Docs/Conformance.md has it.
    public var summary: String {
        switch self {
        case .goneIsServerError: "PUT and DELETE of a record that is gone answer 500, not 404"
        case .batchIsAllOrNothing: "a batch with a record that exists already fails as a whole with 500"
        case .timestampsCollide: "two events of one type at one moment conflict with 409"
        case .refusalsRestartTheWindow: "each refused request restarts the limiter's window"
        case .feedEntriesComeLate: "an entry of the feed with a smaller id can appear late"
        case .typesArePlainInserts: "making a type again, by id or name, is a 500 that speaks of a duplicate key"
        case .outageLooksLikeSignedOut: "an outage of the sign-in service looks like 401"
        case .postDropsPlace: "the single POST of an event ignores geofence_id and the location fields"
        case .cascadesAreNotLogged: "the feed names a deleted type only, not its events and properties"
        case .plainErrors: "errors are {\"error\":\"text\"} or plain text, not application/problem+json"
        case .methodsAreNotFound: "a method that a route does not have is 404, not 405"
        case .noRefresh: "there is no POST /auth/refresh"
        case .keysAreNotBound: "an idempotency key that comes again with another body is not refused with 422"
        case .deletionsHaveNoKeys: "idempotency keys do not count for DELETE"
        case .batchesHaveNoKeys: "idempotency keys do not count for batches"
        case .timesInOtherForms: "times have other than three fraction digits, or an offset in place of Z"
        case .noExchange: "there is no POST /sync: the server speaks the older routes alone"
        }
    }
}
