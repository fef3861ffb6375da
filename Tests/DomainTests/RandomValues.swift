import TrendyDomain
import TrendyTestSupport

/// Draws values of every shape from one seed.
struct RandomValues {
    let source: SeededRandomSource
    init(seed: UInt64) { source = SeededRandomSource(seed: seed) }

    func number(below bound: Int) -> Int { Int(source.next() % UInt64(bound)) }
    func flag() -> Bool { source.next() & 1 == 0 }
    func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? { flag() ? value() : nil }
    func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

    func text() -> String {
        let pieces = ["a", "é", "\"", "\\", "/", "\n", "\u{0}", "👩‍🚀", " ", "null", "\u{2028}", "漢", "1"]
        return (0..<number(below: 6)).map { _ in pick(pieces) }.joined()
    }

    func double() -> Double {
        pick([0, -0.5, 1, 1e15, 1e16, 1e300, -1e-300, 0.1, 1.0 / 3, 90, Double(Int64.max)])
    }

    func moment() -> Timestamp { Timestamp(milliseconds: Int64(number(below: 4_000_000_000_000)) - 2_000_000_000_000) }

    func json(depth: Int = 3) -> JSONValue {
        switch number(below: depth == 0 ? 6 : 8) {
        case 0: .null
        case 1: .boolean(flag())
        case 2: .integer(pick([0, 1, -1, .max, .min, 1 << 53, 1 << 53 + 1]))
        case 3: .number(pick([0.5, -1.25, 1e300, 1.0 / 3, 1e-300]))
        case 4, 5: .string(text())
        case 6: .array((0..<number(below: 4)).map { _ in json(depth: depth - 1) })
        default:
            .object(Dictionary((0..<number(below: 4)).map { _ in (text(), json(depth: depth - 1)) }) { $1 })
        }
    }

    func property() -> PropertyValue {
        switch number(below: 9) {
        case 0: .text(text())
        case 1: .number(double())
        case 2: .boolean(flag())
        case 3: .date(moment())
        case 4: .select(text())
        case 5: .duration(double())
        case 6: .url(text())
        case 7: .email(text())
        default: .other(type: PropertyType(rawValue: "mood"), value: json())
        }
    }

    func event(id: String = testId(1)) -> Event {
        Event(
            id: id, eventTypeId: testId(UInt64(number(below: 5))), timestamp: moment(), notes: maybe(text()),
            isAllDay: flag(), endDate: maybe(moment()), sourceType: pick(SourceType.known), externalId: maybe(text()),
            originalTitle: maybe(text()), geofenceId: maybe(testId(9)), locationLatitude: maybe(double()),
            locationLongitude: maybe(double()), locationName: maybe(text()), healthKitSampleId: maybe(text()),
            healthKitCategory: maybe(text()),
            properties: Dictionary((0..<number(below: 4)).map { _ in (text(), property()) }) { $1 })
    }

    func definition(id: String = testId(1)) -> PropertyDefinition {
        PropertyDefinition(
            id: id, eventTypeId: testId(2), key: text(), label: text(), propertyType: pick(PropertyType.known),
            options: maybe((0..<number(below: 3)).map { _ in text() }),
            defaultValue: maybe(json()).flatMap { $0 == .null ? nil : $0 }, displayOrder: number(below: 9))
    }

    func geofence(id: String = testId(1)) -> Geofence {
        Geofence(
            id: id, name: text(), latitude: double(), longitude: double(), radius: double(),
            eventTypeEntryId: maybe(testId(3)), eventTypeExitId: maybe(testId(4)), isActive: flag(),
            notifyOnEntry: flag(), notifyOnExit: flag(), iosRegionIdentifier: maybe(text()))
    }
}
