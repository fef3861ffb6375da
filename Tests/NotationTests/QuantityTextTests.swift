import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyNotation

@Suite("Numbers with units")
struct QuantityTextTests {
    private func definition(_ key: String, _ label: String? = nil) -> PropertyDefinition {
        var definition = makePropertyDefinition(key: key, propertyType: .number)
        definition.label = label ?? key
        return definition
    }

    @Test(
        "a number is converted into the unit that label or key name",
        arguments: [
            ("km", "km", "5km", 5), ("km", "km", "5 KM", 5), ("km", "km", "500m", 0.5), ("km", "km", "5mi", 8.04672),
            ("distance_km", "distance_km", "3 miles", 4.828032), ("distanceKm", "distanceKm", "800 metres", 0.8),
            ("distance", "Distance (km)", "1km200m", 1.2), ("distance", "Distance in km", "-2km", -2),
            ("weight", "Weight [kg]", "180lb", 81.6466266), ("weight", "Weight [kg]", "11 st 4 lb", 71.66759446),
            ("height", "height (cm)", "5ft 3in", 160.02), ("dose_mg", "dose_mg", "0.5g", 500),
            ("dose_mg", "dose_mg", "250 µg", 0.25), ("water_ml", "water_ml", "1.5l", 1500),
            ("water", "Water (l)", "2 cups", 0.473176473), ("minutes", "minutes", "1h30m", 90),
            ("minutes", "minutes", "1h30", 90),
            ("time_h", "time_h", "90m", 1.5), ("sleep", "Sleep (hours)", "7h45m", 7.75),
            ("energy", "Energy (kJ)", "100kcal", 418.4), ("length_m", "length_m", "1km", 1000),
            ("pulse", "Pulse (bpm)", "60bpm", 60), ("pages", "pages", "30 pages", 30), ("page", "Page", "1pages", 1),
            ("battery", "Battery (%)", "80%", 80), ("km", "km", "1e1", 10), ("km", "km", " 7.5 ", 7.5),
        ])
    func converted(key: String, label: String, text: String, expected: Double) throws {
        #expect(
            try QuantityText.read(text, as: definition(key, label)) == QuantityText.Reading(number: expected))
    }

    @Test(
        "the first unit that is written is what the property counts, where it names none",
        arguments: [
            ("5km", 5, "km"), ("1h30m", 90, "min"), ("5ft3in", 63, "in"), ("2.5 kilos", 2.5, "kg"), ("500m", 500, "m"),
        ])
    func adopted(text: String, number: Double, unit: String) throws {
        #expect(
            try QuantityText.read(text, as: definition("amount"))
                == QuantityText.Reading(number: number, newUnit: unit))
    }

    @Test(
        "what does not fit is refused with what would",
        arguments: [
            ("km", "5kg", "length"), ("km", "5kilometer!", "not a known unit"), ("km", "5 parsec", "'parsec'"),
            ("km", "5kmm", "did you mean 'mm'"), ("pulse (bpm)", "5km", "it is in bpm"), ("km", "5km3", "number"),
            ("km", "km", "number"), ("km", "five km", "number"), ("km", "5,5km", "; write 5.5km"),
            ("km", "5,5 km", "; write '5.5 km'"), ("km", "-3,5", "a number with a decimal point; write -3.5"),
            ("km", "1,234", "; write 1.234, or 1234 where the comma"), ("km", "1,2,3", "like 12.5"),
            ("amount", "5km3kg", "different quantities"),
            ("amount", "1..5km", "number"), ("amount", "5ms", nil), ("km", "1h", "duration"), ("km", "", "number"),
        ] as [(String, String, String?)])
    func refused(label: String, text: String, part: String?) {
        guard let part else {
            #expect(throws: Never.self) { try QuantityText.read(text, as: definition("p", label)) }
            return
        }
        #expect { try QuantityText.read(text, as: definition("p", label)) } throws: { "\($0)".contains(part) }
    }

    @Test("no spelling means two units of one dimension")
    func spellings() {
        for spelling in QuantityUnit.spellings {
            let found = QuantityUnit.all(named: spelling)
            #expect(!found.isEmpty && Set(found.map(\.dimension)).count == found.count, "\(spelling)")
        }
    }
}
