/// The data for insights: the number of events of each type on each day, and the values of properties.
public struct InsightInput: Sendable {
    /// A property whose values are numbers.
    public struct Property: Sendable {
        /// The key of the property.
        public var key: String
        /// The unit after a value, with a leading blank: ` min`; empty for plain numbers.
        public var unit: String
        /// The values by local day.
        public var values: ValueTally

        /// Makes a property with its values.
        public init(key: String, unit: String = "", values: ValueTally) {
            self.key = key
            self.unit = unit
            self.values = values
        }
    }

    /// The events of one type.
    public struct History: Sendable {
        /// The id of the type.
        public var eventTypeId: String
        /// The name of the type in sentences.
        public var name: String
        /// How many events there were on each local day.
        public var days: DayCounts
        /// The properties of the type that have numbers.
        public var properties: [Property]

        /// Makes the history of a type.
        public init(eventTypeId: String, name: String, days: DayCounts, properties: [Property] = []) {
            self.eventTypeId = eventTypeId
            self.name = name
            self.days = days
            self.properties = properties
        }
    }

    /// The types, each once.
    public var histories: [History]
    /// The current local day. It is not over, so comparisons of days leave it out.
    public var today: CalendarDay
    /// Writes a day in a sentence.
    public var dayText: @Sendable (CalendarDay) -> String

    /// Makes the input of histories up to today. Events after today are not looked at.
    ///
    /// - Parameter dayText: Writes a day in a sentence; by default `2026-11-20`.
    public init(
        histories: [History], today: CalendarDay,
        dayText: @escaping @Sendable (CalendarDay) -> String = { $0.description }
    ) {
        self.histories = histories
        self.today = today
        self.dayText = dayText
    }
}
