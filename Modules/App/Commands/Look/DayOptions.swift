import ArgumentParser

/// What a listing of days can be told.
struct DayOptions: ParsableArguments {
    @Argument(help: "Only of these types.")
    var types: [String] = []

    @OptionGroup var shape: EventShapeOptions

    /// What is to be shown of such a span.
    func request(_ span: DayRequest.Span) -> DayRequest {
        DayRequest(span: span, types: types, shape: shape.shape)
    }
}
