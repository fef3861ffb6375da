import ArgumentParser

/// What a listing of days can be told.
struct DayOptions: ParsableArguments {
    @Argument(help: "Only of these types.")
    var types: [String] = []

    @OptionGroup var shape: EventShape

    /// Writes the events of so many days from one on.
    ///
    /// - Parameter first: The first day, by today.
    @MainActor
    func write(days: Int, in context: CommandContext, from first: (_ today: CivilTime) -> CivilTime) throws {
        let today = context.process.zone.civil(context.now).startOfDay
        try DayReport(context: context, shape: shape).write(first(today), days: days, types: types)
    }
}
