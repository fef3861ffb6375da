/// What insights are drawn from: how many events of each type there were on each day.
public struct InsightInput: Sendable {
    /// The events of one type.
    public struct History: Sendable {
        /// The id of the type.
        public var eventTypeId: String
        /// The name of the type, as sentences have it.
        public var name: String
        /// How many events there were on each local day.
        public var days: DayCounts

        /// Makes the history of a type.
        public init(eventTypeId: String, name: String, days: DayCounts) {
            self.eventTypeId = eventTypeId
            self.name = name
            self.days = days
        }
    }

    /// The types, each once.
    public var histories: [History]
    /// The local day on which the question is asked. It is not over: what compares days leaves it out.
    public var today: CalendarDay

    /// Makes the input of histories up to today. What lies after today is not looked at.
    public init(histories: [History], today: CalendarDay) {
        self.histories = histories
        self.today = today
    }
}
