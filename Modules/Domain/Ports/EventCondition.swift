/// What an event meets or does not, put together from single conditions.
///
/// ```swift
/// let large = EventCondition.property(key: "size", .text(.equals("large")))
/// let filter = EventFilter(where: .all([large, .not(.allDay)]))
/// ```
public indirect enum EventCondition: Sendable, Hashable {
    /// Each of these; met by every event where there are none.
    case all([EventCondition])
    /// At least one of these; met by no event where there are none.
    case any([EventCondition])
    /// The opposite.
    case not(EventCondition)
    /// Of one of these types, by their ids.
    case type(in: Set<String>)
    /// Began in this interval.
    case began(EventInterval)
    /// Has an end, which is in this interval.
    case ended(EventInterval)
    /// Has a time of day and an end, which came so many seconds after the start.
    case lasted(NumberComparison, seconds: Double)
    /// At least one of these texts meets the test.
    case text(Set<EventTextField>, TextTest)
    /// The note has this hashtag.
    case hashtag(Hashtag)
    /// At the place with this id; nil for at none.
    case place(id: String?)
    /// The property of that key, in any spelling, has a value that meets the test; see ``NameKey``.
    case property(key: String, PropertyTest)
    /// Has a day and no time of day.
    case allDay
    /// In this state of syncing.
    case status(SyncStatus)
    /// The event with this id.
    case id(String)

    /// Met by every event.
    public static let always = EventCondition.all([])

    /// Both conditions, without needless levels.
    public func and(_ other: EventCondition) -> EventCondition {
        let parts = [self, other].flatMap { condition in
            if case .all(let parts) = condition { parts } else { [condition] }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// With this text in notes, original title or location name, whatever its case; always met where it is blank.
    public static func search(_ text: String) -> EventCondition {
        TextSearch(text).map { .text(Set(EventTextField.allCases), .contains($0)) } ?? .always
    }
}
