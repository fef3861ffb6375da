import Foundation
import TrendyDomain

/// A write that the server carried out.
struct ServerEffect {
    /// The order of the commits.
    var sequence: Int
    var device: Int
    /// How many things people had done when the request left its device for the first time.
    var actsBefore: Int
    var key: String?
    var operation: MutationOperation
    var entityType: EntityType
    /// The records that it made or changed: the ids that were sent, and those that the server has them under.
    var landed: [String: String]
    /// What was sent, as text.
    var body: String
    /// The records that were changed by it, as the feed tells.
    var changed: Set<String>
    /// The records that were new.
    var made: Set<String>

    /// The ids that the server has the records under.
    var ids: Set<String> { Set(landed.values) }
}
