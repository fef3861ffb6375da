import ArgumentParser

struct PlaceGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Places on the map (geofences): add, list, edit, rm.",
        discussion: "Example:\n  trendy place add office --lat 52.52 --lon 13.405 --radius 150 --enter work",
        subcommands: [PlaceAddCommand.self, PlaceListCommand.self, PlaceEditCommand.self, PlaceRemoveCommand.self])
}
