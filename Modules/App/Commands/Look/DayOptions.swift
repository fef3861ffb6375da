import ArgumentParser

/// What a listing of days can be told.
struct DayOptions: ParsableArguments {
    @OptionGroup var query: QueryArgument

    @OptionGroup var shape: EventShapeOptions

    /// What is to be shown of such a span.
    ///
    /// - Parameter week: The week that is meant, as it was typed; nil for the one that has today.
    func request(_ span: DayRequest.Span, of week: String? = nil) -> DayRequest {
        DayRequest(span: span, week: week, query: query.texts, shape: shape.shape)
    }
}
