import TrendyNotation
import TrendyTerminal

/// Refuses degrees that are nowhere on the Earth, in the words of who has typed them.
enum Degrees {
    /// Refuses what `--lat` cannot be.
    static func requireNorth(_ degrees: Double) throws {
        guard !(-90...90).contains(degrees) else { return }
        throw CommandFailure.data(
            "--lat \(NumberText.text(degrees)) is no latitude: it is from -90 (the South Pole) to 90 (the North Pole)")
    }

    /// Refuses what `--lon` cannot be.
    static func requireEast(_ degrees: Double) throws {
        guard !(-180...180).contains(degrees) else { return }
        throw CommandFailure.data(
            "--lon \(NumberText.text(degrees)) is no longitude: it is from -180 (west) to 180 (east)")
    }
}
