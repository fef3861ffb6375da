import TrendyDomain
import TrendyNotation

/// The fields of an event that a row of CSV has columns for, among those that a file may lack.
struct RowFields: OptionSet, Sendable {
    let rawValue: Int

    static let end = RowFields(rawValue: 1)
    static let allDay = RowFields(rawValue: 2)
    static let notes = RowFields(rawValue: 4)
    static let location = RowFields(rawValue: 8)
    static let latitude = RowFields(rawValue: 16)
    static let longitude = RowFields(rawValue: 32)
    /// All properties in one column; a column of a single one says nothing of the others.
    static let properties = RowFields(rawValue: 64)
    static let all: RowFields = [.end, .allDay, .notes, .location, .latitude, .longitude, .properties]

    /// Gives an event of a row what the row has no column for.
    func fill(_ event: inout Event, from present: Event) {
        if !contains(.end) { event.endDate = present.endDate }
        if !contains(.allDay) { event.isAllDay = present.isAllDay }
        if !contains(.notes) { event.notes = present.notes }
        if !contains(.location) { event.locationName = present.locationName }
        if !contains(.latitude) { event.locationLatitude = present.locationLatitude }
        if !contains(.longitude) { event.locationLongitude = present.locationLongitude }
        if !contains(.properties) { event.properties.merge(present.properties) { own, _ in own } }
    }
}

extension ImportColumns {
    /// The fields that have a column.
    var fields: RowFields {
        var fields: RowFields = []
        if until != nil { fields.insert(.end) }
        if allDay != nil { fields.insert(.allDay) }
        if note != nil { fields.insert(.notes) }
        if location != nil { fields.insert(.location) }
        if lat != nil { fields.insert(.latitude) }
        if lon != nil { fields.insert(.longitude) }
        if typedProperties != nil { fields.insert(.properties) }
        return fields
    }
}
