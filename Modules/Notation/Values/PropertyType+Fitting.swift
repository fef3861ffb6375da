package import TrendyDomain

extension PropertyType {
    /// The kind that fits a typed value.
    ///
    /// - Parameter key: The key of the property, which can also be a unit: `pages=30pages`.
    package init(fitting value: String, key: String) {
        let text = value.lowercased()
        let number = PropertyDefinition(id: "", eventTypeId: "", key: key, label: key, propertyType: .number)
        if let reading = try? QuantityText.read(text, as: number) {
            let unit = reading.newUnit.flatMap { QuantityUnit.all(named: $0).first }
            self = unit?.dimension == .duration ? .duration : .number
        } else if DurationText.parse(text) != nil {
            self = .duration
        } else if NumberText.parse(DecimalComma.withPoint(text)) != nil {
            self = .number
        } else if ["yes", "no", "true", "false"].contains(text) {
            self = .boolean
        } else if WhenParser(now: Timestamp(milliseconds: 0), zone: .utc).day(text) != nil {
            self = .date
        } else {
            self = .text
        }
    }
}
