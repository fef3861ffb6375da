/// Something that goes wrong in a history.
public enum Fault: String, CaseIterable, Codable, Sendable {
    // Before the server has the request.
    case requestLost, requestTimesOut, requestArrivesLate
    // An answer in the server's place, or from a server that does nothing.
    case tooManyRequests, retryAfter, errorBeforeCommit, unavailable, captivePortal, redirect, wrongContentType
    case invalidJSON
    // After the server has committed.
    case answerLost, answerTimesOut, answerTruncated, errorAfterCommit
    // Answers that are wrong in what they say.
    case feedRepeats, feedIsShuffled, feedGoesBack, feedNeverEnds, entryIsGarbled, batchOmitsItem
    // Transactions that commit out of order.
    case slowCommit
    // Processes and machines.
    case processDies, processDiesAtSave, serverRestarts, serverIsDown, serverIsBusy, signInIsOut, syncIsCancelled
    case clockJumps
    // What lies between devices and the server.
    case exchangeIsMissing, largeRequestsFail

    /// Those that can befall a request before it reaches the server.
    static let ofRequests: [Fault] = [
        .requestLost, .requestTimesOut, .requestArrivesLate, .tooManyRequests, .retryAfter, .errorBeforeCommit,
        .unavailable, .captivePortal, .redirect, .wrongContentType, .invalidJSON,
    ]
    /// Those that can befall an answer.
    static let ofAnswers: [Fault] = [.answerLost, .answerTimesOut, .answerTruncated, .errorAfterCommit]
    /// Those that can befall a page of the feed.
    static let ofPages: [Fault] = [
        .feedRepeats, .feedIsShuffled, .feedGoesBack, .feedNeverEnds, .entryIsGarbled,
    ]
    /// Those that come by themselves.
    static let ofTheWorld: [Fault] = [
        .processDies, .processDiesAtSave, .serverRestarts, .serverIsDown, .serverIsBusy, .signInIsOut,
        .syncIsCancelled, .clockJumps, .exchangeIsMissing, .largeRequestsFail,
    ]
    /// Those that a plan draws last, so that it draws the others as it did without them.
    static let drawnLast: [Fault] = [.exchangeIsMissing, .largeRequestsFail]
}
