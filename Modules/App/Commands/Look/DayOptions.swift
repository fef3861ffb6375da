import ArgumentParser

/// The options of `today` and `week`.
struct DayOptions: ParsableArguments {
    @OptionGroup var query: QueryArgument

    @OptionGroup var shape: EventShapeOptions

    /// - Parameter week: The week, as the person typed it; nil for this week.
    func request(_ span: DayRequest.Span, of week: String? = nil) -> DayRequest {
        DayRequest(span: span, week: week, query: query.texts, shape: shape.shape)
    }
}
