import TrendyDomain

/// What a person can do and not take back.
///
/// It is noted all the same, so that nothing older is taken back in its stead.
enum FinalDeed: String, Sendable {
    case queueDrop = "queue drop"
    case conflictsDismiss = "conflicts dismiss"

    /// Why it cannot be taken back, for a person.
    var refusal: String {
        let reason =
            switch self {
            case .queueDrop: "what was given up is gone"
            case .conflictsDismiss: "the record went as it had elsewhere"
            }
        return "the last change here was made by 'trendy \(rawValue)' and cannot be taken back: \(reason); "
            + "'trendy undo' once more takes back what was changed before it"
    }
}

extension EntityType {
    /// What cannot be taken back; the command is its id.
    static let finalDeed: EntityType = "final_deed"
}

extension UndoStep {
    init(_ deed: FinalDeed) { self.init(.delete, .finalDeed, deed.rawValue) }

    /// What cannot be taken back, where the step is that.
    var finalDeed: FinalDeed? { entityType == .finalDeed ? FinalDeed(rawValue: id) : nil }
}
