import TrendyDomain

/// A write of one record that the server carried out.
struct ServerEffect {
    /// The order of the commits.
    var sequence: Int
    var device: Int
    /// What the device has sent.
    var sent: SentChange
    /// The id that the server has the record under.
    var landed: String
    /// The revision that it has made; 0 where the gateway has none.
    var revision: Int64 = 0
    /// The records that were changed by it.
    var changed: Set<String> = []
    /// The records that were new.
    var made: Set<String> = []

    var operation: MutationOperation { sent.operation }
    var entityType: EntityType { sent.entityType }
    /// How many things people had done when it left its device for the first time.
    var actsBefore: Int { sent.actsBefore }
}
