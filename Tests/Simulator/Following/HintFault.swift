/// What becomes of a head that the server tells a device which follows it.
enum HintFault: CaseIterable {
    /// It does not arrive, and nobody learns of that.
    case missed
    /// It arrives when others have gone by.
    case late
    case repeated
    /// It names a head that is not there, or another history.
    case wrong
    /// The stream breaks.
    case broken
}
