/// A unit, with its size in the base unit of its dimension.
///
/// The sizes are exact: the international yard and pound (1959), the US gallon of 231 cubic inches, and the
/// thermochemical calorie, as in NIST Special Publication 811, appendix B.
package struct QuantityUnit: Sendable, Hashable {
    /// The units that can be converted into each other.
    package enum Dimension: String, Sendable, CaseIterable {
        /// In metres.
        case length
        /// In kilograms.
        case mass
        /// In litres.
        case volume
        /// In seconds.
        case duration
        /// In joules.
        case energy
    }

    /// The usual spelling.
    let symbol: String
    package let dimension: Dimension
    package let size: Double
    /// Other spellings, in lower case and without plural.
    package let names: [String]

    private init(_ symbol: String, _ dimension: Dimension, _ size: Double, _ names: String...) {
        self.symbol = symbol
        self.dimension = dimension
        self.size = size
        self.names = names
    }

    /// The units with a name, ignoring case and plural; `m` is a metre or a minute.
    package static func all(named text: String) -> [QuantityUnit] {
        let folded = text.lowercased()
        let exact = all.filter { $0.symbol.lowercased() == folded || $0.names.contains(folded) }
        if !exact.isEmpty { return exact }
        // Only long names have a plural: 'ms' does not mean metres.
        let singular = ["s", "es"].filter { folded.hasSuffix($0) }.map { folded.dropLast($0.count) }
        return all.filter { unit in
            singular.contains { $0.count >= 2 && (unit.symbol.lowercased() == $0 || unit.names.contains(String($0))) }
        }
    }

    /// The unit for sentences: 'in' would be read as a word.
    package static func name(_ text: String) -> String { text.lowercased() == "in" ? "inches" : text }

    /// Every spelling, for suggestions.
    package static var spellings: [String] { all.flatMap { [$0.symbol] + $0.names } }

    private static let all: [QuantityUnit] = [
        QuantityUnit("mm", .length, 0.001, "millimetre", "millimeter"),
        QuantityUnit("cm", .length, 0.01, "centimetre", "centimeter"),
        QuantityUnit("dm", .length, 0.1, "decimetre", "decimeter"),
        QuantityUnit("m", .length, 1, "metre", "meter"),
        QuantityUnit("km", .length, 1000, "kilometre", "kilometer"),
        QuantityUnit("in", .length, 0.0254, "inch"),
        QuantityUnit("ft", .length, 0.3048, "foot", "feet"),
        QuantityUnit("yd", .length, 0.9144, "yard"),
        QuantityUnit("mi", .length, 1609.344, "mile"),
        QuantityUnit("nmi", .length, 1852, "nauticalmile"),

        QuantityUnit("µg", .mass, 1e-9, "μg", "ug", "mcg", "microgram"),
        QuantityUnit("mg", .mass, 1e-6, "milligram"),
        QuantityUnit("g", .mass, 0.001, "gram", "gr"),
        QuantityUnit("kg", .mass, 1, "kilogram", "kilo"),
        QuantityUnit("t", .mass, 1000, "tonne"),
        QuantityUnit("oz", .mass, 0.028349523125, "ounce"),
        QuantityUnit("lb", .mass, 0.45359237, "lbs", "pound"),
        QuantityUnit("st", .mass, 6.35029318, "stone"),

        QuantityUnit("ml", .volume, 0.001, "millilitre", "milliliter"),
        QuantityUnit("cl", .volume, 0.01, "centilitre", "centiliter"),
        QuantityUnit("dl", .volume, 0.1, "decilitre", "deciliter"),
        QuantityUnit("l", .volume, 1, "litre", "liter"),
        QuantityUnit("tsp", .volume, 0.00492892159375, "teaspoon"),
        QuantityUnit("tbsp", .volume, 0.01478676478125, "tablespoon"),
        QuantityUnit("floz", .volume, 0.0295735295625, "fluidounce"),
        QuantityUnit("cup", .volume, 0.2365882365),
        QuantityUnit("pt", .volume, 0.473176473, "pint"),
        QuantityUnit("qt", .volume, 0.946352946, "quart"),
        QuantityUnit("gal", .volume, 3.785411784, "gallon"),

        QuantityUnit("ms", .duration, 0.001, "millisecond"),
        QuantityUnit("s", .duration, 1, "sec", "second", "sekunde", "sekunden"),
        QuantityUnit("min", .duration, 60, "m", "minute", "minuten"),
        QuantityUnit("h", .duration, 3600, "hr", "hour", "stunde", "stunden"),
        QuantityUnit("d", .duration, 86_400, "day"),
        QuantityUnit("w", .duration, 604_800, "week"),

        QuantityUnit("J", .energy, 1, "joule"),
        QuantityUnit("kJ", .energy, 1000, "kilojoule"),
        QuantityUnit("cal", .energy, 4.184, "calorie"),
        QuantityUnit("kcal", .energy, 4184, "kilocalorie"),
        QuantityUnit("Wh", .energy, 3600),
        QuantityUnit("kWh", .energy, 3_600_000),
    ]
}
