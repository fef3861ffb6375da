/// A way in which deployed servers differ from ours; rest-contract.md lists them.
public enum ServerWay: String, CaseIterable, Codable, Sendable {
    /// A change or deletion of a record that is gone is answered with 500.
    case goneIsServerError
    /// A batch with a record that exists already fails as a whole, with 500, also where it is the one that made it.
    ///
    /// Where one that it made exists no more it counts as known: what was deleted meanwhile cannot be told from what
    /// never arrived, by anybody.
    case batchIsAllOrNothing
    /// The deletion of a type takes its events along, and the feed names the type only.
    case cascadesAreNotLogged
    /// Making a type again, by id or by name, is answered with 500.
    case typesArePlainInserts
    /// Two events of one type at one moment are refused: with 409 where one is sent, else with 500.
    case timestampsCollide
    /// Idempotency keys do not count for DELETE.
    case deletionsHaveNoKeys
    /// A new event that is sent by itself loses its place and its location.
    case singlesLoseLocation
    /// Null clears neither an event's coordinates nor a property's default value.
    case someNullsStay
    /// A sample that is there already is answered with nothing but its id, and nothing is changed.
    case samplesAreAnsweredEmpty
    /// Some of what is made or changed has no entry in the feed, for ever: only a listing tells.
    case entriesAreLost
    /// Some deletions have no entry in the feed, for ever: only a listing tells, or who asks for the record.
    case deletionsAreLost
    /// An edit that has nothing but values that the server takes for "unchanged" is answered with 500.
    case emptyEditsFail
}
